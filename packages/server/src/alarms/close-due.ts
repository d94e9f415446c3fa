import type { Database } from '../database/db.ts'
import { holdAlarms } from './alarm-row.ts'
import type { Author } from './condition.ts'
import { type Changed, updateAlarms } from './store-alarms.ts'

/** Closes alarms that somebody has taken and that have been over for long enough. Returns how many. */
export async function closeDue(db: Database, author: Author, most: number): Promise<number> {
  const { organization_id } = author.caller
  const due = await db.query<{ id: string }>(
    'SELECT id FROM alarms WHERE organization_id = $1 AND closes_at <= $2 ORDER BY closes_at LIMIT $3 FOR UPDATE SKIP LOCKED',
    [organization_id, author.now, most],
  )
  if (due.length === 0) return 0
  const rows = await holdAlarms(
    db,
    organization_id,
    due.map(({ id }) => id),
  )
  const closed = rows.map(
    (row): Changed => ({
      row: { ...row, state: 'closed', snoozed_until: null, closes_at: null },
      reason: 'closed',
    }),
  )
  await updateAlarms(db, author, closed)
  return due.length
}
