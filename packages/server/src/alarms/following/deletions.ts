import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Author } from '../condition.ts'
import { endAlarms } from '../end-alarms.ts'

const subjects = ['site', 'device', 'gadget', 'member', 'webhook', 'calendar'] as const

/** What is deleted has no alarms any more. */
export async function followDeletions(
  db: Database,
  author: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const deleted = events.filter(({ verb }) => verb === 'delete')
  for (const kind of subjects) {
    const ids = deleted.flatMap(({ object }) => (object.type === kind ? (object[`${kind}_id`] ?? []) : []))
    if (ids.length > 0) await endAlarmsOf(db, author, kind, ids)
  }
}

async function endAlarmsOf(
  db: Database,
  author: Author,
  kind: (typeof subjects)[number],
  ids: readonly string[],
): Promise<void> {
  const rows = await db.query<{ condition_key: string }>(
    `SELECT condition_key FROM alarms WHERE organization_id = $1 AND NOT is_deleted AND state <> 'closed' AND NOT is_over AND ${kind}_id = ANY($2::text[])`,
    [author.caller.organization_id, ids],
  )
  await endAlarms(
    db,
    author,
    rows.map(({ condition_key }) => ({ condition_key, ended_at: author.now })),
  )
}
