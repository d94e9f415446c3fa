import type { Database } from './db.ts'
import type { Session } from './session.ts'

/** A session as a database, for code that works with either. Nobody in this process waits for its effects. */
export function databaseOf(session: Session): Database {
  let isInside = false
  const database: Database = {
    query: session.query,
    async transaction(work) {
      if (isInside) return work(database)
      isInside = true
      try {
        return await session.transaction('BEGIN', () => work(database))
      } finally {
        isInside = false
      }
    },
    afterCommit: () => {},
  }
  return database
}
