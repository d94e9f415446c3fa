import type { Database } from './db.ts'
import type { Session } from './session.ts'

/** A session as a database, for code that works with either. Nobody in this process waits for its effects. */
export function databaseOf(session: Session): Database {
  const database: Database = {
    query: session.query,
    transaction: work =>
      session.is_in_transaction ? work(database) : session.transaction('BEGIN', () => work(database)),
    afterCommit: () => {},
  }
  return database
}
