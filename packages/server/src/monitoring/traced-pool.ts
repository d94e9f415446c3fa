import { asQuery, type Database, type Pool, type Query } from '../database/postgres/query.ts'
import type { SpanOptions, Tracing } from './tracing.ts'

const longestText = 1000

/** Gives statements and transactions a span where something is being traced: polling in the background has none. */
export function tracePool(pool: Pool, tracing: Tracing): Pool {
  const database = traceDatabase(pool, tracing)
  return {
    ...database,
    transaction: (work, options) => {
      if (!tracing.isInside()) return pool.transaction(work, options)
      return tracing.trace(spanFor('transaction'), () =>
        pool.transaction(inner => work(traceDatabase(inner, tracing)), options),
      )
    },
    onCommit: (effect, listener) => pool.onCommit(effect, listener),
    listen: (channel, onMessage) => pool.listen(channel, onMessage),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function traceDatabase(db: Database, tracing: Tracing): Database {
  const query: Query = (text, params, options) => {
    const run = () => db.query<Record<string, unknown>>(text, params, options)
    return tracing.isInside() ? tracing.trace(spanFor(operationOf(text), text), run) : run()
  }
  const traced: Database = {
    query: asQuery(query),
    transaction: work => work(traced),
    afterCommit: effect => db.afterCommit(effect),
  }
  return traced
}

/** The text has placeholders and no values. */
function spanFor(name: string, text?: string): SpanOptions {
  const shown = text && { 'db.query.text': text.slice(0, longestText) }
  return { name, kind: 'client', attributes: { 'db.system.name': 'postgresql', ...shown } }
}

function operationOf(text: string): string {
  return /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement'
}
