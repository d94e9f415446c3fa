import { gap, slice } from '../flow/gaps.ts'
import type { Database, Pool, Row } from './db.ts'
import { asQuery } from './postgres/query.ts'

/** For work that nobody waits for: each statement begins between requests, and so does what is done with its answer. */
export function gently(pool: Pool, patience?: number): Pool {
  return {
    ...pool,
    query: waitingQuery(pool, patience),
    transaction: (work, options) => pool.transaction(inner => work(gentle(inner, patience)), options),
  }
}

/** For what may take longer while others are busy: its transactions leave the processors to them. */
export function aside(pool: Pool): Pool {
  return gently({ ...pool, transaction: work => pool.transaction(work, { gives_way: true }) })
}

/** The same for one connection. */
export function gentle(inner: Database, patience?: number): Database {
  const database: Database = {
    ...inner,
    query: waitingQuery(inner, patience),
    transaction: work => work(database),
  }
  return database
}

function waitingQuery({ query }: Pick<Database, 'query'>, patience: number | undefined): Database['query'] {
  let freeAt = 0
  return asQuery(async (text, params, options) => {
    // What asks on as soon as it was answered is in a gap already.
    if (performance.now() - freeAt > slice) await gap(patience)
    const rows = await query<Row>(text, params, options)
    await gap(patience)
    freeAt = performance.now()
    return rows
  })
}
