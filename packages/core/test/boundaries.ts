import type { PolicyRows } from '../src/index.ts'
import { type Attempt, shiftTimestamp, type World } from './arbitrary-policy.ts'

/**
 * Returns the instants near the anchor at which an answer can change, each with its neighboring microseconds.
 */
export function boundaryInstants({ rows, anchor }: World, attempt: Attempt): string[] {
  const dates = [...rows.members, ...rows.associations].flatMap(({ starts_at, ends_at }) => [
    starts_at,
    ends_at,
  ])
  const bounds = [
    ...dates.filter(date => date != null),
    anchor,
    ...rangeBounds(rows, anchor, attempt.gadget_id),
  ]
  return [...new Set(bounds)].flatMap(bound =>
    [-1, 0, 1].map(microseconds => shiftTimestamp(bound, 0, microseconds)),
  )
}

/** Returns where the ranges of the days around the anchor start and end on the clock of the gadget's site. */
function rangeBounds(rows: PolicyRows, anchor: string, gadgetId: string): string[] {
  const gadget = rows.gadgets.find(({ id }) => id === gadgetId)
  const zone = rows.sites.find(({ id }) => id === gadget?.site_id)?.timezone ?? 'UTC'
  const date = Temporal.Instant.from(anchor).toZonedDateTimeISO(zone).toPlainDate()
  return [-1, 0, 1].flatMap(days => boundsOfDate(rows, date.add({ days }), zone))
}

function boundsOfDate(rows: PolicyRows, date: Temporal.PlainDate, zone: string): string[] {
  const ranges = rows.schedules.flatMap(({ weekdays }) => weekdays[date.dayOfWeek - 1]?.ranges ?? [])
  const seconds = new Set(ranges.flatMap(({ start, end }) => [start, end]))
  return [...seconds].flatMap(second =>
    (['earlier', 'later'] as const).map(disambiguation => wallClock(date, second, zone, disambiguation)),
  )
}

function wallClock(
  date: Temporal.PlainDate,
  second: number,
  zone: string,
  disambiguation: 'earlier' | 'later',
) {
  const local = date.toPlainDateTime().add({ seconds: second })
  return local.toZonedDateTime(zone, { disambiguation }).toInstant().toString({ fractionalSecondDigits: 6 })
}
