import { expect, test } from 'vitest'
import {
  applyChange,
  compilePolicy,
  dateOfDay,
  dayOfDate,
  decide,
  explainSteps,
  type PolicyRows,
  settleSteps,
  toMicroseconds,
} from '../src/index.ts'

/** The most special days that limits allow. Questions about them must not block other callers. */
const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const at = toMicroseconds('2026-11-16T12:00:00Z')
const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at }
const week = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))

function rowsWith(changes: Partial<PolicyRows>): PolicyRows {
  return {
    sites: [{ id: 'site_a', timezone: 'Europe/Madrid', ...living }],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
    schedules: [],
    groups: [],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
    ...changes,
  }
}

test('the next time is found in steps among 1,000 rules with 400 exceptions each', () => {
  const first = dayOfDate('2026-11-01')
  const exceptions = Array.from({ length: 400 }, (_, index) => ({
    starts_on: dateOfDay(first + index),
    ranges: [],
  }))
  const schedules = Array.from({ length: 1000 }, (_, index) => ({
    id: `sch_${index}`,
    weekdays: week,
    exceptions,
    ...living,
  }))
  const permissions = schedules.map(({ id }) => ({ schedule_id: id }))
  const policy = compilePolicy(rowsWith({ schedules, groups: [{ id: 'mg_a', permissions, ...living }] }))
  const began = process.cpuUsage()
  const steps = explainSteps(policy, question)
  let count = 0
  let done = steps.next()
  for (; !done.done; done = steps.next()) count++
  expect(done.value.next_allowed_at).toBeNull()
  expect(count).toBeGreaterThan(1000)
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000)
})

test('ten calendars of 5,000 long stretches take little memory, and a change of one day little time', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `cal_${index}`)
  const rows = rowsWith({
    sites: [{ id: 'site_a', timezone: 'Europe/Madrid', calendar_ids: ids, ...living }],
    schedules: [{ id: 'sch_a', weekdays: week, special_days: [{ kind: 'holiday', ranges: [] }], ...living }],
    groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
    calendars: ids.map(id => ({ id, ...living })),
    calendar_days: ids.flatMap(calendar_id =>
      Array.from({ length: 5000 }, (_, index) => dayOf(calendar_id, index)),
    ),
  })
  const policy = compilePolicy(rows)
  for (const _ of settleSteps(policy));
  const merged = [...policy.places.calendars.values()].flatMap(({ index }) => [...(index?.values() ?? [])])
  expect(merged.every(({ spans }) => spans.length < 20_000)).toBe(true)
  const took = Array.from({ length: 20 }, (_, index) => {
    const began = process.cpuUsage()
    applyChange(policy, 'calendar_days', { ...dayOf('cal_0', index), is_deleted: index % 2 === 0 })
    expect(decide(policy, question).allowed).toBe(false)
    return process.cpuUsage(began).user / 1000
  })
  // A busy machine only adds time.
  expect(Math.min(...took)).toBeLessThan(20)
})

function dayOf(calendar_id: string, index: number) {
  const first = dayOfDate('2026-01-01') + index * 3
  return {
    id: `cld_${calendar_id}_${index}`,
    calendar_id,
    kind: 'holiday',
    starts_on: dateOfDay(first),
    ends_on: dateOfDay(first + 365),
    recurrence: index % 2 === 0 ? ('none' as const) : ('yearly' as const),
    ...living,
  }
}
