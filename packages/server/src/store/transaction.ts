import type postgres from 'postgres'
import { isLoss } from './away.ts'
import { type Database, runQuery } from './query.ts'

/**
 * Runs `work` between BEGIN and COMMIT. When the connection is lost, nothing more is sent for this transaction: the
 * driver's own ROLLBACK on a closed connection throws where nobody can catch it, and a later statement might run on
 * the next connection, outside of any transaction. So the driver is never told how such `work` ended.
 */
export function runTransaction<T>(sql: postgres.Sql, work: (inner: Database) => Promise<T>): Promise<T> {
  const loss = new AbortController()
  const guardedWork = async (inner: postgres.TransactionSql) => {
    try {
      return await work(databaseOver(inner, loss))
    } finally {
      if (loss.signal.aborted) await new Promise(() => {})
    }
  }
  const ended = sql.begin(guardedWork) as Promise<T>
  ended.catch(error => loss.abort(error))
  return Promise.race([ended, rejection(loss.signal)])
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function databaseOver(sql: postgres.TransactionSql, loss: AbortController): Database {
  const database: Database = {
    async query(text, params, options) {
      loss.signal.throwIfAborted()
      try {
        return await runQuery(sql, text, params, options)
      } catch (error) {
        if (isLoss(error)) loss.abort(error)
        throw error
      }
    },
    transaction: work => work(database),
  }
  return database
}
