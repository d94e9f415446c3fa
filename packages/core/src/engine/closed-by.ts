import { weekdayOf } from './days/dates.ts'
import { localDay } from './days/local-days.ts'
import { isClosedByDay } from './days/schedule-day.ts'
import type { Explanation, TriedRule } from './explain.ts'
import { livingGadget } from './gadgets.ts'
import type { Site } from './places.ts'
import type { Policy } from './policy.ts'
import type { Schedule } from './schedules.ts'
import { daySeconds, timesOfWeekday, weekSecondAt } from './week.ts'
import { stretchAt } from './zones.ts'

/** The special day that keeps a door closed. */
export interface ClosedBy {
  /** Null for an exception of the schedule. */
  calendar_day_id: string | null
  date: string
}

type Asked = { gadget_id: string; at: number }

/** Returns the first special day because of which a rule fails that would pass on a usual day. */
export function closedBy(policy: Policy, asked: Asked, explained: Explanation): ClosedBy | null {
  const site = livingGadget(policy, asked.gadget_id)?.site
  if (!site || explained.reason !== 'outside_schedule') return null
  const found = explained.rules.find(tried => isClosing(policy, site, asked.at, tried))?.schedule_day
  return found ? { calendar_day_id: found.calendar_day_id, date: found.date } : null
}

function isClosing(policy: Policy, site: Site, at: number, tried: TriedRule): boolean {
  if (tried.failed !== 'outside_schedule' || (tried.schedule_day?.source ?? 'weekday') === 'weekday')
    return false
  const group = policy.groups.by_id.get(tried.member_group_id)
  const schedule = group?.rules[tried.rule_index ?? -1]?.schedule
  return schedule ? isClosed(schedule, site, at) : false
}

function isClosed(schedule: Schedule, site: Site, at: number): boolean {
  const day = localDay(at + stretchAt(site.zone, at).offset)
  const weekday = timesOfWeekday(schedule.week, weekdayOf(day))
  return isClosedByDay(schedule, site, day, weekday, weekSecondAt(site.zone, at) % daySeconds)
}
