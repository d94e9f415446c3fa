import { hash } from 'node:crypto'
import type { Database } from '../../../database/db.ts'

/** Identifies what legal holds cover now: when it changes, what was spared may expire. Null if there are none. */
export async function keyOfHolds(db: Database, organization_id: string, now: string): Promise<string | null> {
  const holds = await db.query<{ row: string }>(
    `SELECT ROW(id, member_ids, gadget_ids, starts_at, ends_at)::text AS row FROM legal_holds
     WHERE organization_id = $1 AND NOT is_deleted AND expires_at > $2 ORDER BY id`,
    [organization_id, now],
  )
  return holds.length === 0 ? null : hash('sha256', holds.map(({ row }) => row).join('\n'))
}
