import type { SiteRow } from '../src/index.ts'
import { type Attempt, shiftTimestamp, type World } from './arbitrary-policy.ts'
import { type OracleRows, rangesOn, wallClockAt } from './oracle.ts'
import { offsetAt } from './oracle-next.ts'

/**
 * Returns the instants near the anchor at which an answer can change, each with its neighboring microseconds.
 */
export function boundaryInstants({ rows, anchor }: World, attempt: Attempt): string[] {
  const dates = [...rows.members, ...rows.associations].flatMap(({ starts_at, ends_at }) => [
    starts_at,
    ends_at,
  ])
  const ends = [...rows.members, ...rows.credentials, ...rows.devices].flatMap(row =>
    row.is_suspended ? (row.suspended_until ?? []) : [],
  )
  const bounds = [
    ...ends,
    ...dates.filter(date => date != null),
    anchor,
    ...rangeBounds(rows, anchor, attempt.gadget_id),
  ]
  return [...new Set(bounds)].flatMap(bound =>
    [-1, 0, 1].map(microseconds => shiftTimestamp(bound, 0, microseconds)),
  )
}

/** Returns where the ranges of the days around the anchor start and end on the clock of the gadget's site. */
function rangeBounds(rows: OracleRows, anchor: string, gadgetId: string): string[] {
  const gadget = rows.gadgets.find(({ id }) => id === gadgetId)
  const site = rows.sites.find(({ id }) => id === gadget?.site_id)
  const date = site && wallClockAt(rows, site.timezone, anchor)?.toPlainDate()
  if (!site || !date) return []
  return [-1, 0, 1].flatMap(days => boundsOfDate(rows, date.add({ days }), site))
}

/** Takes every offset that the zone has near the date, so that repeated times are met twice. */
function boundsOfDate(rows: OracleRows, date: Temporal.PlainDate, site: SiteRow): string[] {
  const ranges = rows.schedules.flatMap(schedule => rangesOn(rows, schedule, site, date))
  const seconds = new Set([0, ...ranges.flatMap(({ start, end }) => [start, end])])
  const midnight = date.toZonedDateTime('UTC').toInstant()
  const offsets = new Set(
    [-24, 0, 24, 48].map(hours => offsetAt(rows, site.timezone, midnight.add({ hours }))),
  )
  return [...seconds].flatMap(second =>
    [...offsets].map(offset =>
      midnight.add({ seconds: second - offset }).toString({ fractionalSecondDigits: 6 }),
    ),
  )
}
