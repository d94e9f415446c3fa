import fc from 'fast-check'
import { expect, test } from 'vitest'
import { within } from '../../testkit/src/soak.ts'
import {
  compilePolicy,
  decide,
  type Policy,
  previewDays,
  type Reason,
  type SiteDay,
  type SiteRow,
  toMicroseconds,
} from '../src/index.ts'
import { calendarId } from './arbitrary-days.ts'
import { shiftTimestamp } from './arbitrary-policy.ts'
import { anyScheduleAtSite, zones } from './arbitrary-site.ts'
import { boundaryInstants } from './boundaries.ts'
import { judge, type OracleRows } from './oracle.ts'

/**
 * One door, one schedule with special days and exceptions, and a site that observes two calendars, in sixty
 * zones: all clock changes from 2024 to 2030, leap days, New Year, and the day that Apia skipped; a third of them
 * with a table that replaces what the runtime says of the zone. The service, a controller with its slice, the
 * preview and the oracle must agree.
 */
const seeds = Number(process.env.GATEHOUSE_SEEDS ?? 150)
const questionsASeed = 100
const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const asked = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open' }

test('there are sixty zones', () => {
  expect(zones.length).toBe(60)
})

test('service, controller, preview and oracle agree', within(60), () => {
  let questions = 0
  fc.assert(
    fc.property(anyScheduleAtSite(), ({ zone, anchor, weekdays, days, shifts, ...calendars }) => {
      const site = { id: 'site_a', timezone: zone, calendar_ids: [calendarId(0), calendarId(1)], ...living }
      const rows: OracleRows = {
        sites: [site],
        devices: [{ id: 'dev_a', ...living }],
        gadgets: [
          { id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living },
        ],
        schedules: [{ id: 'sch_a', weekdays, ...days, ...living }],
        groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
        members: [{ id: 'mem_a', ...unbounded }],
        associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
        credentials: [],
        ...calendars,
      }
      const instants = [
        ...shifts.map(seconds => shiftTimestamp(anchor, seconds, 0)),
        ...boundaryInstants({ rows, anchor }, { ...asked, who: asked, access_method: 'pin', location: null }),
      ].slice(0, questionsASeed)
      questions += instants.length
      const expected = instants.map(at => [at, judge(rows, { ...asked, at })])
      const zoneTable = (name: string) => rows.zones?.[name] ?? null
      expect(answersOf(compilePolicy(rows, { zoneTable }), instants)).toEqual(expected)
      expect(answersOf(compilePolicy(sliceOf(rows), { zoneTable }), instants)).toEqual(expected)
      expect(previewed(rows, anchor, instants)).toEqual(expected)
    }),
    { numRuns: seeds },
  )
  if (seeds > 1000) console.log(`${questions.toLocaleString('en')} questions, each asked of four`)
})

function answersOf(policy: Policy, instants: readonly string[]): [string, Reason | null][] {
  return instants.map(at => [at, decide(policy, { ...asked, at: toMicroseconds(at) }).reason])
}

/** The rows as a controller has them: days instead of calendars. */
function sliceOf({ calendars, calendar_days, ...rows }: OracleRows): OracleRows {
  const counted = calendar_days?.filter(
    day => !day.is_deleted && calendars?.some(({ id, is_deleted }) => id === day.calendar_id && !is_deleted),
  )
  const days: SiteDay[] = (counted ?? []).map(({ kind, starts_on, ends_on, recurrence }) => ({
    kind,
    from: starts_on,
    to: ends_on ?? starts_on,
    yearly: recurrence === 'yearly',
  }))
  return {
    ...rows,
    sites: rows.sites.map(({ calendar_ids: _, ...site }) => ({ ...site, days, days_until: '2040-01-01' })),
  }
}

/** Answers by what the preview calls open. */
function previewed(rows: OracleRows, anchor: string, instants: readonly string[]): [string, Reason | null][] {
  const [schedule] = rows.schedules
  const [site] = rows.sites as readonly [SiteRow]
  const living = rows.calendars?.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id)
  const days = rows.calendar_days?.filter(day => !day.is_deleted && living?.includes(day.calendar_id)) ?? []
  const date = Temporal.PlainDate.from(anchor.slice(0, 10))
  const [from, to] = [date.subtract({ days: 14 }), date.add({ days: 14 })].map(String) as [string, string]
  const table = rows.zones?.[site.timezone] ?? null
  const open = previewDays(schedule as never, { timezone: site.timezone, table, days }, from, to).flatMap(
    day => day.open,
  )
  return instants.map(at => [
    at,
    open.some(time => time.from <= at && at < time.until) ? null : 'outside_schedule',
  ])
}
