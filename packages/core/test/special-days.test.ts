import { describe, expect, test } from 'vitest'
import {
  applyChange,
  compilePolicy,
  dueTriggers,
  explain,
  findDayProblem,
  findExceptionProblem,
  findSpecialDayProblem,
  isBeyondHorizon,
  type PolicyRows,
  previewDays,
  type TriggerRow,
  toMicroseconds,
  waysToUse,
  whatMayUse,
} from '../src/index.ts'

const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const hours = (...ranges: [number, number][]) =>
  ranges.map(([start, end]) => ({ start: start * 3600, end: end * 3600 }))
const office = Array.from({ length: 7 }, (_, day) => ({ ranges: day < 5 ? hours([8, 18]) : [] }))

/** Two sites in one zone, of which only Madrid observes the calendar with the holiday of 8 December 2026. */
function rowsWith(changes: Partial<PolicyRows> = {}): PolicyRows {
  const door = { device_id: 'dev_a', actions: [{ id: 'open' }], ...living }
  return {
    sites: [
      { id: 'site_madrid', timezone: 'Europe/Madrid', calendar_ids: ['cal_es'], ...living },
      { id: 'site_lugo', timezone: 'Europe/Madrid', calendar_ids: [], ...living },
    ],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [
      { id: 'gad_lugo', site_id: 'site_lugo', ...door },
      { id: 'gad_madrid', site_id: 'site_madrid', ...door },
    ],
    schedules: [
      { id: 'sch_a', weekdays: office, special_days: [{ kind: 'holiday', ranges: [] }], ...living },
    ],
    groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
    calendars: [{ id: 'cal_es', ...living }],
    calendar_days: [holiday('cld_b'), holiday('cld_a')],
    ...changes,
  }
}

function holiday(id: string) {
  return {
    id,
    calendar_id: 'cal_es',
    kind: 'holiday',
    starts_on: '2026-12-08',
    ends_on: null,
    recurrence: 'none' as const,
    ...living,
  }
}

const noon = toMicroseconds('2026-12-08T11:00:00Z')

test('doors of sites with other special days are told apart', () => {
  const policy = compilePolicy(rowsWith())
  const may = [...whatMayUse(policy, { member_id: 'mem_a', at: noon })].map(({ gadget_id }) => gadget_id)
  expect(may).toEqual(['gad_lugo'])
  const ways = [...waysToUse(policy, { member_id: 'mem_a', at: noon })].map(({ gadget_id, ways: [way] }) => [
    gadget_id,
    way?.is_allowed,
    way?.closed_by,
  ])
  expect(ways).toEqual([
    ['gad_lugo', true, null],
    ['gad_madrid', false, { calendar_day_id: 'cld_a', date: '2026-12-08' }],
  ])
})

test.each([
  ['before the hours of a usual day', '2026-12-08T05:00:00Z', true],
  ['after them, when a usual day were closed as well', '2026-12-08T18:00:00Z', false],
])('%s', (_, at, is_closed_by) => {
  const policy = compilePolicy(rowsWith())
  const asked = { member_id: 'mem_a', at: toMicroseconds(at), gadget_ids: ['gad_madrid'] }
  const ways = [...waysToUse(policy, asked)].flatMap(door => door.ways)
  expect(ways[0]?.closed_by !== null).toBe(is_closed_by)
})

test('an explanation says on which day the schedule was read', () => {
  const policy = compilePolicy(rowsWith())
  const dayOf = (gadget_id: string) =>
    explain(policy, { member_id: 'mem_a', gadget_id, action_id: 'open', at: noon }).rules[0]?.schedule_day
  const date = '2026-12-08'
  expect(dayOf('gad_madrid')).toEqual({
    date,
    source: 'special_day',
    kind: 'holiday',
    calendar_day_id: 'cld_a',
  })
  expect(dayOf('gad_lugo')).toEqual({ date, source: 'weekday', kind: null, calendar_day_id: null })
  applyChange(policy, 'calendar_days', { ...holiday('cld_a'), is_deleted: true })
  expect(dayOf('gad_madrid')?.calendar_day_id).toBe('cld_b')
  applyChange(policy, 'calendars', { id: 'cal_es', is_deleted: true })
  expect(dayOf('gad_madrid')?.source).toBe('weekday')
})

test('a range that a special day removes sets off no trigger', () => {
  const base = {
    source_type: 'schedule',
    source_schedule_id: 'sch_a',
    target_action_id: 'open',
    ...living,
  } as const
  const triggers: TriggerRow[] = ['gad_madrid', 'gad_lugo'].flatMap(target_gadget_id =>
    (['enter', 'exit'] as const).map(source_schedule_event => ({
      ...base,
      id: `${target_gadget_id} ${source_schedule_event}`,
      target_gadget_id,
      source_schedule_event,
    })),
  )
  const due = (after: string, until: string) =>
    dueTriggers(compilePolicy(rowsWith()), triggers, toMicroseconds(after), toMicroseconds(until)).map(
      ({ trigger }) => trigger.id,
    )
  expect(due('2026-12-08T06:59:59Z', '2026-12-08T07:00:00Z')).toEqual(['gad_lugo enter'])
  expect(due('2026-12-08T16:59:59Z', '2026-12-08T17:00:00Z')).toEqual(['gad_lugo exit'])
  expect(due('2026-12-09T06:59:59Z', '2026-12-09T07:00:00Z')).toEqual(['gad_lugo enter', 'gad_madrid enter'])
})

test('an exception that goes on where the day before ended is no turn', () => {
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: hours([8, 24]) }))
  const exceptions = [{ starts_on: '2026-12-08', ranges: hours([0, 2]) }]
  const policy = compilePolicy(rowsWith({ schedules: [{ id: 'sch_a', weekdays, exceptions, ...living }] }))
  const trigger: TriggerRow = {
    id: 'gt_a',
    source_type: 'schedule',
    source_schedule_id: 'sch_a',
    source_schedule_event: 'exit',
    target_gadget_id: 'gad_lugo',
    target_action_id: 'open',
    ...living,
  }
  const due = (after: string, until: string) =>
    dueTriggers(policy, [trigger], toMicroseconds(after), toMicroseconds(until)).map(({ at }) => at)
  expect(due('2026-12-07T20:00:00Z', '2026-12-08T00:59:59Z')).toEqual([])
  expect(due('2026-12-07T20:00:00Z', '2026-12-08T01:00:00Z')).toEqual([
    toMicroseconds('2026-12-08T01:00:00Z'),
  ])
})

test('a controller can tell that it does not know the days any more', () => {
  const site = { id: 'site_madrid', timezone: 'Europe/Madrid', days: [], days_until: '2026-12-08', ...living }
  const policy = compilePolicy(rowsWith({ sites: [site] }))
  expect(isBeyondHorizon(policy, 'gad_madrid', toMicroseconds('2026-12-08T22:59:59.999999Z'))).toBe(false)
  expect(isBeyondHorizon(policy, 'gad_madrid', toMicroseconds('2026-12-08T23:00:00Z'))).toBe(true)
})

test('a preview tells each date, why, and when it is open', () => {
  const schedule = {
    weekdays: Array.from({ length: 7 }, () => ({ ranges: hours([1, 4]) })),
    special_days: [{ kind: 'holiday', ranges: [] }],
    exceptions: [{ starts_on: '2026-03-30', ranges: hours([0, 24]) }],
  }
  const days = [{ ...holiday('cld_a'), starts_on: '2026-03-28' }]
  const told = previewDays(schedule, { timezone: 'Europe/Madrid', days }, '2026-03-28', '2026-03-30')
  expect(told).toMatchObject([
    { date: '2026-03-28', source: 'special_day', kind: 'holiday', calendar_day_id: 'cld_a', open: [] },
    {
      date: '2026-03-29',
      source: 'weekday',
      ranges: hours([1, 4]),
      open: [{ from: '2026-03-29T00:00:00.000000Z', until: '2026-03-29T02:00:00.000000Z' }],
      length_seconds: 82_800,
      clock_change: true,
    },
    { date: '2026-03-30', source: 'exception', length_seconds: 86_400, clock_change: false },
  ])
  const apia = previewDays(schedule, { timezone: 'Pacific/Apia' }, '2011-12-29', '2011-12-31')
  expect(apia.map(({ date }) => date)).toEqual(['2011-12-29', '2011-12-31'])
})

test('the last date there is ends with the last timestamp', () => {
  const always = { weekdays: Array.from({ length: 7 }, () => ({ ranges: hours([0, 24]) })) }
  const lastOf = (timezone: string) => previewDays(always, { timezone }, '9999-12-31', '9999-12-31')[0]?.open
  expect(lastOf('Pacific/Pago_Pago')).toEqual([
    { from: '9999-12-31T11:00:00.000000Z', until: '9999-12-31T23:59:59.000000Z' },
  ])
  expect(lastOf('Europe/Madrid')?.[0]?.until).toBe('9999-12-31T23:00:00.000000Z')
  const policy = compilePolicy(rowsWith())
  const at = toMicroseconds('9999-12-31T22:30:00.000000Z')
  const question = { member_id: 'mem_a', gadget_id: 'gad_madrid', action_id: 'open', at }
  expect(explain(policy, question).next_allowed_at).toBe(null)
})

describe('what is wrong with special days', () => {
  test.each([
    [{ starts_on: '2026-02-30' }, 'starts_on', "'2026-02-30'"],
    [{ starts_on: '2026-02-28', ends_on: '2026-2-28' }, 'ends_on', "'2026-2-28'"],
    [{ starts_on: '2026-12-24', ends_on: '2026-12-23' }, 'ends_on', 'before starts_on 2026-12-24'],
    [{ starts_on: '2026-01-01', ends_on: '2027-01-02' }, 'ends_on', '367 days'],
  ])('%o', (stretch, field, part) => {
    expect(findDayProblem(stretch)).toMatchObject({ field, message: expect.stringContaining(part) })
    expect(findExceptionProblem([{ ...stretch, ranges: [] }])?.field).toBe(`exceptions.0.${field}`)
  })

  test('a whole year and a leap day are right', () => {
    expect(findDayProblem({ starts_on: '2026-01-01', ends_on: '2027-01-01' })).toBeUndefined()
    expect(findDayProblem({ starts_on: '2028-02-29', ends_on: null })).toBeUndefined()
  })

  test('what clashes is named on both sides', () => {
    const [early, late] = [
      { starts_on: '2026-12-26', ends_on: '2026-12-28', ranges: [] },
      { starts_on: '2026-12-24', ends_on: '2026-12-26', ranges: [] },
    ]
    expect(findExceptionProblem([early, late])).toEqual({
      field: 'exceptions.0',
      message: '2026-12-26 to 2026-12-28 overlaps 2026-12-24 to 2026-12-26 of exceptions.1',
    })
    const twice = { kind: 'holiday', ranges: [] }
    expect(findSpecialDayProblem([twice, twice])).toEqual({
      field: 'special_days.1.kind',
      message: "kind 'holiday' is already used by special_days.0",
    })
    expect(findSpecialDayProblem([{ kind: 'a', ranges: [{ start: 2, end: 1 }] }])?.field).toBe(
      'special_days.0.ranges.0.end',
    )
  })
})
