import type { Database } from '../../../database/db.ts'

/**
 * Limits each wait for a lock in this transaction. While it waits, it holds up whoever waits for it, and the
 * feeds of all organizations.
 */
export async function limitWaits(db: Database, milliseconds: number): Promise<void> {
  await db.query(`SELECT set_config('lock_timeout', $1, true)`, [String(milliseconds)])
}
