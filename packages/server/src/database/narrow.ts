import type { Semaphore } from '../flow/semaphore.ts'
import type { Pool, Row } from './db.ts'
import { asQuery } from './postgres/query.ts'

/**
 * Limits work on a pool to as many connections as `turns` has slots, so that other work need not wait behind
 * it. Work waits for a slot without holding a connection. Inside a transaction, use only the database that it
 * is handed: if every slot waited for a second one, all would deadlock.
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
