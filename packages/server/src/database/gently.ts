import { gap } from '../flow/gaps.ts'
import type { Database, Pool, Row } from './db.ts'
import { asQuery } from './postgres/query.ts'

/** For work that nobody waits for: each statement begins between requests, and so does what follows from its answer. */
export function gently(pool: Pool, patience?: number): Pool {
  return {
    ...pool,
    query: waitingQuery(pool, patience),
    transaction: work => pool.transaction(inner => work(gentle(inner, patience))),
  }
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
  return asQuery(async (text, params, options) => {
    await gap(patience)
    return query<Row>(text, params, options)
  })
}
