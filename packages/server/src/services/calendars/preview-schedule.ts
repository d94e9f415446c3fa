import { invalid, resources, type SchedulePreview } from '@gatehouse-access/api'
import { previewSteps } from '@gatehouse-access/core'
import { inSlices, longestAnswer } from '../../flow/slices.ts'
import { findObject } from '../../store/find.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'
import { readDates, todayAt } from './date-range.ts'
import { type ObservedDay, observedDays } from './observed-days.ts'

const usual = 14

/** `GET /schedules/{id}/preview`: by the same code that decides. */
export async function previewSchedule({
  work,
  target,
  id,
  query,
}: InputOf<'schedule', 'preview'>): Promise<SchedulePreview> {
  const schedule = await getObject(work, target, id)
  if (query.site_id === undefined) throw invalid('site_id', 'site_id is required')
  const { organization_id } = work.caller
  const site = await findObject(work.db, resources.site, { organization_id }, query.site_id)
  if (!site) throw invalid('site_id', `site_id: there is no site ${query.site_id}`)
  const dates = readDates(query, todayAt(work, site), usual)
  const kinds = new Set(schedule.special_days.map(({ kind }) => kind))
  const days: ObservedDay[] = []
  if (kinds.size > 0)
    for await (const rows of observedDays(work, site.calendar_ids, dates))
      days.push(...rows.filter(({ kind }) => kinds.has(kind)))
  const { timezone } = site
  const table = work.context.zones.table(timezone)
  const steps = previewSteps(schedule, { timezone, table, days }, dates.from, dates.to)
  return { timezone, data: await inSlices(organization_id, steps, longestAnswer) }
}
