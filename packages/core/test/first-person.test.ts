import { describe, expect, test } from 'vitest'
import { aloneSchedule, aloneSite } from '../src/engine/open-times.ts'
import {
  effectiveMode,
  fromMicroseconds,
  isArrival,
  isDeparture,
  isThere,
  type LooseDoor,
  modeSpanAt,
  periodsBetween,
  rememberFrom,
  sourcesOfLooseDoor,
  toMicroseconds,
} from '../src/index.ts'
import { clockChanges } from './arbitrary-door.ts'

const hour = 3600
const daily = (...ranges: [number, number][]) => ({
  weekdays: Array.from({ length: 7 }, () => ({
    ranges: ranges.map(([start, end]) => ({ start: start * hour, end: end * hour })),
  })),
})
type Rule = LooseDoor['rules'][number]

const rule: Rule = {
  id: 'ur_1',
  gadget_ids: ['gad_1'],
  schedule_id: 'sch_1',
  schedule: daily([8, 18]),
  first_person: { member_group_ids: ['mg_boss'], early_seconds: 1800, before: 'controlled' },
  is_enabled: true,
  is_deleted: false,
}

function doorWith(changes: Partial<Rule>, timezone = 'UTC') {
  return sourcesOfLooseDoor({
    gadget_id: 'gad_1',
    site_id: 'site_1',
    tag_ids: [],
    site: { timezone },
    door: { release_action_id: 'open', hold_action_id: 'hold' },
    fire: null,
    override: null,
    emergencies: [],
    rules: [{ ...rule, ...changes }],
  })
}

const on17 = (time: string) => `2026-11-17T${time}:00.000000Z`
const unlockedAt = (changes: Partial<Rule>, at: string) =>
  effectiveMode(doorWith(changes), toMicroseconds(at)).effective === 'unlocked'

/** Returns since when the door is unlocked on 17 November; null if it never is. */
function opensAt(changes: Partial<Rule>): string | null {
  return effectiveMode(doorWith(changes), toMicroseconds(on17('17:59'))).since
}

describe('the first person in', () => {
  test.each([
    ['07:30', '08:00'],
    ['07:59', '08:00'],
    ['08:00', '08:00'],
    ['08:30', '08:30'],
    ['17:30', '17:30'],
    ['07:29', null],
    ['18:00', null],
  ])('who comes at %s unlocks at %s', (came, opens) => {
    expect(opensAt({ arrivals: [on17(came)] })).toBe(opens && on17(opens))
  })

  test('nobody came: never', () => {
    expect(opensAt({ arrivals: [] })).toBe(null)
    expect(opensAt({ arrivals: ['2026-11-16T09:00:00.000000Z'] })).toBe(null)
  })

  test('only somebody who stands there counts', () => {
    const methods = ['online', 'bluetooth', 'mobile_nfc', 'pin', 'card'] as const
    expect(methods.filter(isThere)).toEqual(['bluetooth', 'mobile_nfc', 'pin', 'card'])
  })

  test('the second period of a day waits anew', () => {
    const schedule = daily([8, 12], [14, 18])
    const came = { schedule, arrivals: [on17('08:10')] }
    expect(unlockedAt(came, on17('11:59'))).toBe(true)
    expect(unlockedAt(came, on17('14:10'))).toBe(false)
    expect(unlockedAt({ schedule, arrivals: [on17('08:10'), on17('13:30')] }, on17('14:00'))).toBe(true)
  })

  test('ranges that touch at midnight are one period', () => {
    const schedule = daily([0, 6], [22, 24])
    const came = { schedule, arrivals: [on17('22:30')] }
    expect(unlockedAt(came, '2026-11-18T05:59:00.000000Z')).toBe(true)
    expect(unlockedAt(came, '2026-11-18T06:00:00.000000Z')).toBe(false)
    expect(unlockedAt(came, '2026-11-18T22:00:00.000000Z')).toBe(false)
  })

  test('a door that is closed before asks for one of the groups, and only then', () => {
    const closed = {
      first_person: { member_group_ids: ['mg_boss'], early_seconds: 1800, before: 'closed' as const },
    }
    const needs = (at: string, arrivals: string[]) =>
      modeSpanAt(doorWith({ ...closed, arrivals }), toMicroseconds(on17(at))).needs
    const asked = [{ reason: 'supervisor_absent', groups: new Set(['mg_boss']) }]
    expect(needs('07:29', [])).toEqual([])
    expect(needs('07:30', [])).toEqual(asked)
    expect(needs('12:00', [])).toEqual(asked)
    expect(needs('18:00', [])).toEqual([])
    expect(needs('07:50', [on17('07:40')])).toEqual([])
    expect(needs('12:00', [on17('07:40')])).toEqual([])
  })
})

describe('the last person out', () => {
  test('ends the period, and nobody makes it live again', () => {
    const left = { arrivals: [on17('08:10'), on17('16:30')], departures: [on17('16:00')] }
    expect(unlockedAt(left, on17('15:59'))).toBe(true)
    expect(unlockedAt(left, on17('16:00'))).toBe(false)
    expect(unlockedAt(left, on17('17:00'))).toBe(false)
  })

  test('ends a period by the clock too', () => {
    const left = { first_person: null, departures: [on17('16:00')] }
    expect(unlockedAt(left, on17('15:59'))).toBe(true)
    expect(unlockedAt(left, on17('17:00'))).toBe(false)
    expect(unlockedAt(left, '2026-11-18T08:00:00.000000Z')).toBe(true)
  })

  test('who leaves before the start is waited for again', () => {
    const left = { arrivals: [on17('07:35')], departures: [on17('07:50')] }
    expect(opensAt(left)).toBe(null)
    expect(opensAt({ ...left, arrivals: [on17('07:35'), on17('09:00')] })).toBe(on17('09:00'))
  })

  test('a cleaner who leaves before anybody came changes nothing', () => {
    expect(opensAt({ arrivals: [on17('09:00')], departures: [on17('08:30')] })).toBe(on17('09:00'))
  })
})

describe('what has to be remembered', () => {
  const sources = (changes: Partial<Rule>) => {
    const { rules, site } = doorWith(changes)
    return { rule: rules[0] as (typeof rules)[number], site }
  }
  const arrives = (at: string, changes: Partial<Rule>) => {
    const { rule: own, site } = sources(changes)
    return isArrival(own, site, toMicroseconds(on17(at)))
  }
  const leaves = (at: string, changes: Partial<Rule>) => {
    const { rule: own, site } = sources(changes)
    return isDeparture(own, site, toMicroseconds(on17(at)))
  }

  test('only who makes a period live', () => {
    expect(['07:29', '07:30', '17:59', '18:00'].map(at => arrives(at, {}))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(arrives('09:00', { arrivals: [on17('08:30')] })).toBe(false)
    expect(arrives('07:55', { arrivals: [on17('07:35')], departures: [on17('07:50')] })).toBe(true)
    expect(arrives('16:30', { arrivals: [on17('07:35')], departures: [on17('16:00')] })).toBe(false)
    expect(arrives('09:00', { first_person: null })).toBe(false)
  })

  test('only who leaves a live period', () => {
    expect(leaves('09:00', {})).toBe(false)
    expect(leaves('09:00', { first_person: null })).toBe(true)
    expect(leaves('07:50', { arrivals: [on17('07:35')] })).toBe(true)
    expect(leaves('16:30', { arrivals: [on17('07:35')], departures: [on17('16:00')] })).toBe(false)
  })

  test('not longer than the period', () => {
    const { rule: own, site } = sources({})
    const from = (at: string) => fromMicroseconds(rememberFrom(own, site, toMicroseconds(on17(at))))
    expect(from('12:00')).toBe(on17('07:30'))
    expect(from('18:00')).toBe(on17('18:00'))
    expect(from('07:45')).toBe(on17('07:30'))
  })
})

describe.each(clockChanges)('in %s', (zone, forward, back) => {
  const site = aloneSite({ timezone: zone })
  const local = (at: string | number) =>
    Temporal.Instant.from(typeof at === 'string' ? at : fromMicroseconds(at)).toZonedDateTimeISO(zone)

  test('a repeated hour belongs to the period of its first pass', () => {
    const change = toMicroseconds(back)
    const offsets = [local(change - 1), local(change)].map(at => at.offsetNanoseconds / 1000)
    const repeated = (offsets[0] as number) - (offsets[1] as number)
    // From the middle of the repeated time for a quarter of it, so that both passes are apart.
    const start = local(back).hour * hour + local(back).minute * 60 + repeated / 2_000_000
    const ranges = [{ start, end: start + repeated / 4_000_000 }]
    const weekdays = Array.from({ length: 7 }, () => ({ ranges }))
    const schedule = aloneSchedule({ weekdays })
    const first = change - repeated / 2
    const periods = periodsBetween(schedule, site, first, first + 1)
    expect(periods.map(({ open }) => open.map(({ from }) => from - first))).toEqual([[0, repeated]])
    expect(periodsBetween(schedule, site, first + repeated, first + repeated + 1)).toEqual(periods)
    const rules = doorWith({ schedule: { weekdays }, arrivals: [fromMicroseconds(first)] }, zone)
    expect(effectiveMode(rules, first + repeated).effective).toBe('unlocked')
    expect(effectiveMode(rules, first + repeated / 2 - 1).effective).toBe('controlled')
    expect(effectiveMode(rules, first + 86_400_000_000 + repeated).effective).toBe('controlled')
  })

  test.each([
    ['forward', forward],
    ['back', back],
  ])('who comes early unlocks at eight of the wall clock, on the days around clocks go %s', (_, at) => {
    for (const days of [-1, 0, 1]) {
      const date = local(at).toPlainDate().add({ days })
      const eight = date.toZonedDateTime({ timeZone: zone, plainTime: '08:00' })
      const came = eight.subtract({ minutes: 30 }).toInstant().toString({ fractionalSecondDigits: 6 })
      const sources = doorWith({ arrivals: [came] }, zone)
      const start = eight.epochMilliseconds * 1000
      const end = date.toZonedDateTime({ timeZone: zone, plainTime: '18:00' }).epochMilliseconds * 1000
      expect(effectiveMode(sources, start - 1).effective).toBe('controlled')
      expect(effectiveMode(sources, start)).toMatchObject({
        effective: 'unlocked',
        since: fromMicroseconds(start),
        until: fromMicroseconds(end),
      })
      expect(effectiveMode(sources, end).effective).toBe('controlled')
    }
  })

  test.each([
    ['forward', forward],
    ['back', back],
  ])('a night over which clocks go %s is one period', (_, at) => {
    const night = daily([0, 6], [22, 24])
    const noon = local(at).toPlainDate().toZonedDateTime({ timeZone: zone, plainTime: '12:00' })
    const morning = noon.with({ hour: 5, minute: 59 }).epochMilliseconds * 1000
    const came = noon.subtract({ days: 1 }).with({ hour: 22, minute: 15 })
    const arrivals = [came.toInstant().toString({ fractionalSecondDigits: 6 })]
    expect(effectiveMode(doorWith({ schedule: night, arrivals }, zone), morning).effective).toBe('unlocked')
    expect(effectiveMode(doorWith({ schedule: night, arrivals: [] }, zone), morning).effective).toBe(
      'controlled',
    )
  })
})
