import type { Semaphore } from '../flow/semaphore.ts'
import type { Pool, Row } from './db.ts'
import { asQuery } from './postgres/query.ts'

/**
 * The pool for work that others must not wait behind: it takes no more of the connections than there are lanes, and waits
 * without one. Inside a transaction only what it is handed may be used, else all lanes could wait for each other.
 */
export function narrow(pool: Pool, turns: Semaphore): Pool {
  return {
    query: asQuery((text, params, options) => turns.run(() => pool.query<Row>(text, params, options))),
    transaction: work => turns.run(() => pool.transaction(work)),
    afterCommit: effect => pool.afterCommit(effect),
    onCommit: (effect, listener) => pool.onCommit(effect, listener),
    listen: (channel, onMessage) => pool.listen(channel, onMessage),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
