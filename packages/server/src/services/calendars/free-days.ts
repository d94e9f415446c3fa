import { resources } from '@gatehouse-access/api'
import { updateObjects } from '../../store/write-many.ts'
import type { Work } from '../objects/context.ts'
import { readHeldDays } from './held-days.ts'

/** The days of a source that is taken off become days kept by hand. Deleted ones could be restored then. */
export async function freeDays(work: Work, calendarId: string): Promise<void> {
  const { organization_id } = work.caller
  const held = await readHeldDays(work.db, organization_id, calendarId)
  const freed = held.filter(day => day.is_managed).map(day => ({ ...day, is_managed: false }))
  await updateObjects(work, resources.calendar_day, ['is_managed'], freed)
  await work.db.query(
    'UPDATE calendar_days SET is_managed = false WHERE organization_id = $1 AND calendar_id = $2 AND is_managed',
    [organization_id, calendarId],
  )
}
