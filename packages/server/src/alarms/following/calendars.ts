import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import { type Author, conditionKey } from '../condition.ts'
import { endAlarms } from '../end-alarms.ts'

/** A calendar whose source was taken away has nothing to refresh. */
export async function followCalendars(
  db: Database,
  author: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const edits = events.filter(({ object, verb }) => object.type === 'calendar' && verb === 'edit')
  const ids = edits.flatMap(({ object }) => object.calendar_id ?? [])
  if (ids.length === 0) return
  const rows = await db.query<{ id: string }>(
    'SELECT id FROM calendars WHERE organization_id = $1 AND id = ANY($2::text[]) AND source IS NULL',
    [author.caller.organization_id, ids],
  )
  const ends = rows.map(({ id }) => ({
    condition_key: conditionKey('calendar_not_refreshed', id),
    ended_at: author.now,
  }))
  await endAlarms(db, author, ends)
}
