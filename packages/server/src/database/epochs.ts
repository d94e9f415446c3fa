import { codeOf } from '../flow/failures.ts'
import { asQuery, type Database, type Pool, type Row } from './postgres/query.ts'

/** Raised by `feed_epoch()` if PostgreSQL was started, recovered or restored since the last epoch began. */
const noEpoch = 'GH001'
/** Allows for PostgreSQL crashing again before a retry succeeds. */
const mostAttempts = 5

/**
 * Wraps a pool so that a statement that finds no epoch begins one and is retried. The failed statement has
 * changed nothing, so retrying is safe. A transaction is retried as a whole, because its snapshot may be
 * older than the epoch.
 */
export function withEpochs(pool: Pool): Pool {
  const repeat = async <T>(work: () => Promise<T>, attempts = mostAttempts): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!isWithoutEpoch(error) || attempts === 1) throw error
      await beginEpoch(pool)
      return repeat(work, attempts - 1)
    }
  }
  return {
    query: asQuery((text, params, options) => repeat(() => pool.query<Row>(text, params, options))),
    transaction: (work, options) => repeat(() => pool.transaction(work, options)),
    afterCommit: effect => pool.afterCommit(effect),
    onCommit: (effect, listener) => pool.onCommit(effect, listener),
    listen: (channel, onMessage) => pool.listen(channel, onMessage),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Begins an epoch unless one is current. */
export async function beginEpoch(db: Database): Promise<void> {
  await db.query('SELECT begin_feed_epoch()')
}

function isWithoutEpoch(error: unknown): boolean {
  return codeOf(error) === noEpoch
}
