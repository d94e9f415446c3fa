import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInside as isInBounds } from '../src/engine/days/bounds.ts'
import { aloneSchedule, aloneSite } from '../src/engine/open-times.ts'
import { latestTurn } from '../src/engine/turns.ts'
import { compileWeek, weekSecondAt } from '../src/engine/week.ts'
import {
  compilePolicy,
  countTriggerRun,
  dueTriggers,
  hasAction,
  noTriggerRest,
  type PolicyRows,
  type TriggerRow,
  toMicroseconds,
  triggersOfSignal,
  triggersOfState,
} from '../src/index.ts'

const second = 1_000_000
const hour = 3600

function everyDay(start: number, end: number) {
  return Array.from({ length: 7 }, () => ({ ranges: [{ start, end }] }))
}

function policyWith(weekdays: ReturnType<typeof everyDay>, timezone = 'Europe/Madrid') {
  const rows: PolicyRows = {
    sites: [{ id: 'site_a', timezone, is_deleted: false }],
    devices: [{ id: 'dev_a', is_deleted: false }],
    gadgets: [
      { id: 'gad_light', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'on' }], is_deleted: false },
    ],
    schedules: [{ id: 'sch_a', weekdays, is_deleted: false }],
    groups: [],
    members: [],
    associations: [],
    credentials: [],
  }
  return compilePolicy(rows)
}

function trigger(changes: Partial<TriggerRow>): TriggerRow {
  return {
    id: 'gt_a',
    source_type: 'schedule',
    source_gadget_id: null,
    source_state_id: null,
    source_signal_id: null,
    source_schedule_id: 'sch_a',
    source_schedule_event: 'enter',
    target_gadget_id: 'gad_light',
    target_action_id: 'on',
    is_deleted: false,
    ...changes,
  }
}

const enter = trigger({ id: 'gt_enter' })
const exit = trigger({ id: 'gt_exit', source_schedule_event: 'exit' })

function due(policy: ReturnType<typeof policyWith>, after: string, until: string) {
  return dueTriggers(policy, [enter, exit], toMicroseconds(after), toMicroseconds(until)).map(
    ({ trigger, at }) => `${trigger.id} ${new Date(at / 1000).toISOString()}`,
  )
}

describe('schedules', () => {
  const policy = policyWith(everyDay(8 * hour, 18 * hour))

  test('a turn is seen from its own instant on, once', () => {
    expect(due(policy, '2026-03-02T06:59:59Z', '2026-03-02T06:59:59.999999Z')).toEqual([])
    expect(due(policy, '2026-03-02T06:59:59.999999Z', '2026-03-02T07:00:00Z')).toEqual([
      'gt_enter 2026-03-02T07:00:00.000Z',
    ])
    expect(due(policy, '2026-03-02T07:00:00Z', '2026-03-02T07:00:01Z')).toEqual([])
  })

  test('of several that were missed only the latest counts', () => {
    expect(due(policy, '2026-03-02T05:00:00Z', '2026-03-02T20:00:00Z')).toEqual([
      'gt_exit 2026-03-02T17:00:00.000Z',
    ])
  })

  test('one that is older than a day does not count', () => {
    const monday = policyWith(
      everyDay(0, 0).map((_, index) => ({ ranges: index === 0 ? [{ start: hour, end: 2 * hour }] : [] })),
      'UTC',
    )
    expect(due(monday, '2026-03-01T00:00:00Z', '2026-03-03T01:59:59Z')).toEqual([
      'gt_exit 2026-03-02T02:00:00.000Z',
    ])
    expect(due(monday, '2026-03-01T00:00:00Z', '2026-03-03T02:00:00Z')).toEqual([])
  })

  test('where clocks jump over the start, it begins with the jump; the hour that comes twice begins twice', () => {
    const night = policyWith(everyDay(2 * hour + 1800, 4 * hour))
    expect(due(night, '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z')).toEqual([
      'gt_enter 2026-03-29T01:00:00.000Z',
    ])
    const late = policyWith(everyDay(2 * hour + 1800, 2 * hour + 2700))
    expect(due(late, '2026-10-25T00:00:00Z', '2026-10-25T00:35:00Z')).toEqual([
      'gt_enter 2026-10-25T00:30:00.000Z',
    ])
    expect(due(late, '2026-10-25T00:50:00Z', '2026-10-25T01:35:00Z')).toEqual([
      'gt_enter 2026-10-25T01:30:00.000Z',
    ])
  })

  test('the end of a day is no end when the next begins at once', () => {
    expect(
      due(policyWith(everyDay(0, 24 * hour), 'UTC'), '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z'),
    ).toEqual([])
  })

  test('a deleted schedule, an unknown zone and a deleted trigger set nothing off', () => {
    const nowhere = policyWith(everyDay(8 * hour, 18 * hour), 'Nowhere/Never')
    expect(due(nowhere, '2026-03-02T05:00:00Z', '2026-03-02T20:00:00Z')).toEqual([])
    const gone = dueTriggers(
      policy,
      [{ ...exit, is_deleted: true }],
      0,
      toMicroseconds('2026-03-02T20:00:00Z'),
    )
    expect(gone).toEqual([])
  })

  test('the latest turn is the last second at which inside and outside change', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 48 }), { minLength: 2, maxLength: 6 }),
        fc.constantFrom('Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
        fc.constantFrom(
          '2026-03-29T01:00:00Z',
          '2026-10-25T01:00:00Z',
          '2026-04-04T15:00:00Z',
          '2026-03-08T07:00:00Z',
        ),
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: 1, max: 48 }),
        (bounds, name, around, shift, halfHours) => {
          const sorted = bounds.toSorted((a, b) => a - b).map(bound => bound * 1800)
          const ranges: { start: number; end: number }[] = []
          for (let index = 0; index + 1 < sorted.length; index += 2)
            ranges.push({ start: sorted[index] as number, end: sorted[index + 1] as number })
          const weekdays = Array.from({ length: 7 }, () => ({ ranges }))
          const week = compileWeek(weekdays)
          const site = aloneSite({ timezone: name })
          const until = toMicroseconds(around) + shift * 1800 * second
          const after = until - halfHours * 1800 * second
          const isInside = (at: number) => isInBounds(week, weekSecondAt(site.zone, at))
          let expected: { at: number; event: string } | null = null
          for (let at = until; at > after && expected === null; at -= 900 * second)
            if (isInside(at) !== isInside(at - 1)) expected = { at, event: isInside(at) ? 'enter' : 'exit' }
          expect(latestTurn(aloneSchedule({ weekdays }), site, after, until)).toEqual(expected)
        },
      ),
    )
  })
})

describe('states and signals', () => {
  const opened = trigger({
    id: 'gt_s',
    source_type: 'state',
    source_gadget_id: 'gad_door',
    source_state_id: 'open',
  })
  const bell = trigger({
    id: 'gt_b',
    source_type: 'signal',
    source_gadget_id: 'gad_door',
    source_signal_id: 'bell',
  })

  test('set off what names them, and nothing else', () => {
    const all = [opened, bell, enter]
    expect(triggersOfState(all, 'gad_door', 'open')).toEqual([opened])
    expect(triggersOfState(all, 'gad_door', 'bell')).toEqual([])
    expect(triggersOfState(all, 'gad_other', 'open')).toEqual([])
    expect(triggersOfSignal(all, 'gad_door', 'bell')).toEqual([bell])
    expect(triggersOfSignal([{ ...bell, is_deleted: true }], 'gad_door', 'bell')).toEqual([])
  })

  test('an action counts only while its gadget has it', () => {
    const policy = policyWith(everyDay(0, 1))
    expect(hasAction(policy, 'gad_light', 'on')).toBe(true)
    expect(hasAction(policy, 'gad_light', 'off')).toBe(false)
    expect(hasAction(policy, 'gad_other', 'on')).toBe(false)
  })
})

test('a trigger in a loop rests for a minute after ten runs', () => {
  let rest = noTriggerRest
  const runs = Array.from({ length: 30 }, (_, index) => {
    const counted = countTriggerRun(rest, index * second)
    rest = counted.rest
    return counted.runs
  })
  expect(runs.filter(Boolean)).toHaveLength(10)
  expect(countTriggerRun(rest, rest.until - 1).runs).toBe(false)
  expect(countTriggerRun(rest, rest.until).runs).toBe(true)
  let slow = noTriggerRest
  for (let at = 0; at < 100; at += 2) {
    const counted = countTriggerRun(slow, at * second)
    expect(counted.runs).toBe(true)
    slow = counted.rest
  }
})
