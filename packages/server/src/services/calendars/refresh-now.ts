import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

/** `POST /calendars/{id}/refresh`: makes a refresh due. The job that looks every second does it. */
export async function refreshNow({
  work,
  target,
  id,
  readBody,
}: InputOf<'calendar', 'refresh'>): Promise<StoredOf<Resources['calendar']>> {
  const calendar = await getObject(work, target, id)
  const { accept = false } = readBody()
  if (calendar.is_deleted) throw invalid('is_deleted', 'the calendar is deleted; restore it first')
  if (!calendar.source) throw invalid('source', 'the calendar has no source; its days are kept by hand')
  await work.db.query(
    `UPDATE calendars SET refresh_due_at = $3, accepted_hash = CASE WHEN $4 THEN coalesce(held_back_hash, accepted_hash) ELSE accepted_hash END
     WHERE organization_id = $1 AND id = $2`,
    [work.caller.organization_id, id, work.now, accept],
  )
  return calendar
}
