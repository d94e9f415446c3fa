import type { Database } from '../../database/db.ts'

/** What is known of a restore once its database runs. */
export interface Restored {
  /** The time that the database is of. */
  readonly target: Date
  readonly backupId: string
  readonly by: string
  /** The folder with the ledgers of what must not come back; undefined if the operator goes without it. */
  readonly ledger: string | undefined
}

/**
 * Runs when the restored database runs on a socket, before anything is served. What happens to a database
 * that was set back in time is decided here.
 */
export async function handOver(_db: Database, _restored: Restored): Promise<void> {}
