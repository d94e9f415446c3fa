import { resources } from '@gatehouse-access/api'
import { exceeded } from '../../store/counts/quotas.ts'
import { deleteObjects } from '../../store/write.ts'
import { insertObjects, updateObjects } from '../../store/write-many.ts'
import type { Work } from '../objects/context.ts'
import { newValues } from '../objects/new-object.ts'
import type { HeldDay } from './held-days.ts'
import type { DayPlan } from './plan-days.ts'

const resource = resources.calendar_day
const changeable = ['name', 'kind', 'starts_on', 'ends_on', 'recurrence', 'is_public', 'uid'] as const

/** Writes a plan in the transaction of the work, which holds the calendar. Returns the new days. */
export async function applyPlan(
  work: Work,
  calendarId: string,
  plan: DayPlan,
  { held, is_managed }: { readonly held: readonly HeldDay[]; readonly is_managed: boolean },
): Promise<HeldDay[]> {
  await takeRoomFor(work, calendarId, held.length, plan)
  const created = plan.create.map(
    day => newValues(work, resource, { ...day, calendar_id: calendarId, is_managed }) as unknown as HeldDay,
  )
  const gone = plan.delete.map(({ id }) => id)
  if (gone.length > 0) await deleteObjects(work, resource, 'id', gone)
  await updateObjects(work, resource, changeable, plan.update)
  await adopt(work, plan.adopt)
  await insertObjects(work, resource, created)
  return created
}

async function takeRoomFor(work: Work, calendarId: string, count: number, plan: DayPlan): Promise<void> {
  const { quotas } = work.context
  const { organization_id } = work.caller
  const added = plan.create.length - plan.delete.length
  const most = quotas.most('calendar.calendar_day')
  if (added > 0 && count + added > most) throw exceeded('calendar.calendar_day', most)
  if (added <= 0) return
  await quotas.take(work.db, 'calendar_day', [organization_id], added)
  await quotas.take(work.db, 'calendar.calendar_day', [organization_id, calendarId], added)
}

/** Nothing that anybody sees changes, so there is no event. */
async function adopt(work: Work, days: readonly HeldDay[]): Promise<void> {
  if (days.length === 0) return
  await work.db.query(
    `UPDATE calendar_days t SET uid = f.uid FROM jsonb_to_recordset($2::jsonb) AS f(id text, uid text)
     WHERE t.organization_id = $1 AND t.id = f.id`,
    [work.caller.organization_id, days.map(({ id, uid }) => ({ id, uid }))],
  )
}
