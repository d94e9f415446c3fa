import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { holdAlarms } from '../alarm-row.ts'
import type { Author } from '../condition.ts'
import { type Changed, updateAlarms } from '../store-alarms.ts'

/** Alarms of a device, and of its gadgets, follow it to another site: whoever looks after that one sees them. */
export async function followMoves(
  db: Database,
  author: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const { organization_id } = author.caller
  const edits = events.filter(({ object, verb }) => object.type === 'device' && verb === 'edit')
  // Those with a reason tell what a device reported.
  const ids = edits.flatMap(({ object }) => (object.reason ? [] : (object.device_id ?? [])))
  if (ids.length === 0) return
  const moved = await db.query<{ id: string; site_id: string }>(
    `SELECT a.id, d.site_id FROM alarms a JOIN devices d ON d.organization_id = a.organization_id AND d.id = a.device_id
     WHERE a.organization_id = $1 AND NOT a.is_deleted AND a.device_id = ANY($2::text[]) AND a.state <> 'closed' AND a.site_id <> d.site_id`,
    [organization_id, ids],
  )
  const siteOf = new Map(moved.map(({ id, site_id }) => [id, site_id]))
  const rows = await holdAlarms(db, organization_id, [...siteOf.keys()])
  const changed = rows.map(
    (row): Changed => ({ row: { ...row, site_id: siteOf.get(row.id) ?? row.site_id }, reason: 'moved' }),
  )
  await updateAlarms(db, author, changed)
}
