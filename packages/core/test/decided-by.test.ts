import { expect, test } from 'vitest'
import {
  compilePolicy,
  cutText,
  decidedBy,
  explain,
  type PolicyRows,
  termsOfRow,
  toMicroseconds,
  weekdaysText,
} from '../src/index.ts'

const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const range = (start: number, end: number) => ({ start: start * 3600, end: end * 3600 })
const office = Array.from({ length: 7 }, (_, day) => ({ ranges: day < 5 ? [range(8, 18)] : [] }))
const rule = { gadget_id: 'gad_a', schedule_id: 'sch_a', access_methods: { pin: true, card: true } }

function rowsWith(changes: Partial<PolicyRows> = {}): PolicyRows {
  return {
    sites: [{ id: 'site_a', timezone: 'Europe/Madrid', ...living }],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
    schedules: [{ id: 'sch_a', weekdays: office, ...living }],
    groups: [{ id: 'mg_a', permissions: [{ site_id: 'site_b' }, rule], ...living }],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
    ...changes,
  }
}

function decided(at: string, changes?: Partial<PolicyRows>) {
  const policy = compilePolicy(rowsWith(changes))
  const question = {
    member_id: 'mem_a',
    gadget_id: 'gad_a',
    action_id: 'open',
    access_method: 'pin' as const,
    at: toMicroseconds(at),
  }
  return decidedBy(policy, question, explain(policy, question))
}

const terms = {
  gadget_id: 'gad_a',
  access_methods: ['pin', 'card'],
  schedule_id: 'sch_a',
  times: 'Mo-Fr 08:00-18:00',
}

test('a denial and a use keep the rule, its times and the local time', () => {
  const kept = {
    timezone: 'Europe/Madrid',
    utc_offset: 3600,
    rules: [{ member_group_id: 'mg_a', rule_index: 1, ...terms }],
  }
  expect(decided('2026-11-15T20:28:00Z')).toEqual(kept)
  expect(decided('2026-11-16T09:00:00Z')).toEqual(kept)
  expect(termsOfRow(rule, { weekdays: office })).toEqual(terms)
})

test('a day that is not as its weekday, a deleted schedule, and an unknown place', () => {
  const exceptions = [{ starts_on: '2026-11-16', ranges: [range(10, 12)] }]
  const schedules = [{ id: 'sch_a', weekdays: office, exceptions, ...living }]
  expect(decided('2026-11-16T12:00:00Z', { schedules })?.rules).toMatchObject([
    { times: 'Mo-Fr 08:00-18:00', day: { source: 'exception', kind: null, times: '10:00-12:00' } },
  ])
  const gone = decided('2026-11-16T12:00:00Z', {
    schedules: [{ id: 'sch_a', weekdays: office, is_deleted: true }],
  })
  expect(gone?.rules[0]).toMatchObject({ schedule_id: 'sch_a' })
  expect(gone?.rules[0]).not.toHaveProperty('times')
  expect(decided('2026-11-16T12:00:00Z', { gadgets: [] })).toBeNull()
})

test('weeks are written as opening hours, and long ones are cut', () => {
  const week = (...days: { start: number; end: number }[][]) =>
    weekdaysText(Array.from({ length: 7 }, (_, day) => ({ ranges: days[day] ?? [] })))
  expect(week()).toBe('off')
  expect(week([range(0, 24)], [range(0, 24)], [], [{ start: 30, end: 3600 }])).toBe(
    'Mo-Tu 00:00-24:00; Th 00:00:30-01:00',
  )
  expect(week([], [], [], [], [], [range(13, 15), range(10, 12)])).toBe('Sa 10:00-12:00,13:00-15:00')
  const crowded = Array.from({ length: 40 }, (_, index) => range(index / 2, index / 2 + 0.25))
  expect(week(crowded)).toHaveLength(201)
  expect(week(crowded).endsWith('…')).toBe(true)
  expect(cutText('ab😀', 3)).toBe('ab…')
})
