import { codeOf } from '../flow/failures.ts'
import { asQuery, type Database, type Pool, type Row } from './postgres/query.ts'

/** Raised by `feed_epoch()` where PostgreSQL was started, recovered or restored and nobody has begun an epoch since. */
const noEpoch = 'GH001'
/** PostgreSQL may crash again before the second. */
const mostAttempts = 5

/**
 * A pool that begins an epoch where a statement finds none. Whatever failed for want of one has changed nothing, so it is
 * done again; inside a transaction all of it is, since its snapshot may be older than the epoch.
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
    transaction: work => repeat(() => pool.transaction(work)),
    afterCommit: effect => pool.afterCommit(effect),
    onCommit: (effect, listener) => pool.onCommit(effect, listener),
    listen: (channel, onMessage) => pool.listen(channel, onMessage),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** Begins an epoch unless one runs. */
export async function beginEpoch(db: Database): Promise<void> {
  await db.query('SELECT begin_feed_epoch()')
}

function isWithoutEpoch(error: unknown): boolean {
  return codeOf(error) === noEpoch
}
