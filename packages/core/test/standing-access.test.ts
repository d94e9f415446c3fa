import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compilePolicy,
  explain,
  mostStandingRules,
  type StandingRule,
  toMicroseconds,
  usesOf,
  whatEverMayUse,
  whoEverMayUse,
} from '../src/index.ts'
import { anyAttempt, anyWorld, compileWorld, here, idOf } from './arbitrary-policy.ts'
import { runs } from './runs.ts'

const day = 86_400_000_000

test('every rule that allows an attempt, then or later, is listed beforehand', () => {
  fc.assert(
    fc.property(anyWorld, anyAttempt, fc.nat(3), fc.nat(13), (world, asked, number, days) => {
      const policy = compileWorld(world)
      const at = toMicroseconds(world.anchor)
      const { gadget_id, action_id, access_method } = asked
      const member_id = idOf('mem', number)
      const question = { member_id, gadget_id, action_id, access_method, location: here }
      const { rules } = explain(policy, { ...question, at: at + (days * day) / 2 })
      const passed = rules.filter(rule => rule.failed === null && !rule.is_inherited).map(name)
      const who = [...whoEverMayUse(policy, { gadget_id, action_id, at })].find(
        entry => entry.member_id === member_id,
      )
      const what = [...whatEverMayUse(policy, { member_id, at })].find(
        entry => entry.gadget_id === gadget_id && entry.action_id === action_id,
      )
      expect(who?.rules).toEqual(what?.rules)
      if (passed.length > 0) expect(what?.access_methods).toContain(access_method)
      expect(what?.rules.map(name) ?? []).toEqual(expect.arrayContaining(passed))
    }),
    runs(40, 5000),
  )
})

function name(rule: { member_group_id: string; rule_index: number | null }): string {
  return `${rule.member_group_id} ${rule.rule_index}`
}

const start = '2026-11-16T00:00:00Z'
const later = '2026-12-01T00:00:00Z'
const last = '2027-01-01T00:00:00Z'
const never = Array.from({ length: 7 }, () => ({ ranges: [] }))
const rest = { is_deleted: false }

function hotel(permissions: readonly object[], member: object = {}, association: object = {}) {
  const gadget = { site_id: 'sit_1', device_id: 'dev_1', actions: [{ id: 'open' }], ...rest }
  return compilePolicy({
    sites: [{ id: 'sit_1', timezone: 'Europe/Madrid', geo: null, ...rest }],
    devices: [{ id: 'dev_1', ...rest }],
    gadgets: [
      { id: 'gad_1', ...gadget },
      { id: 'gad_2', ...gadget },
    ],
    schedules: [{ id: 'sch_1', weekdays: never, ...rest }],
    groups: [
      { id: 'mg_1', permissions, ...rest },
      { id: 'mg_2', permissions: [{ member_group_id: 'mg_1' }], ...rest },
    ],
    members: [{ id: 'mem_1', starts_at: null, ends_at: null, ...rest, ...member }],
    associations: [{ id: 'mga_1', member_id: 'mem_1', member_group_id: 'mg_2', ...rest, ...association }],
  } as unknown as Parameters<typeof compilePolicy>[0])
}

function doorsOf(policy: ReturnType<typeof hotel>): Record<string, StandingRule[]> {
  const found = whatEverMayUse(policy, { member_id: 'mem_1', at: toMicroseconds(start) })
  return Object.fromEntries([...found].map(({ gadget_id, rules }) => [gadget_id, rules]))
}

test('a rule holds between the dates of the member and of the association', () => {
  const policy = hotel([{ gadget_id: 'gad_2' }], { ends_at: last }, { starts_at: later, ends_at: null })
  const rule = { member_group_id: 'mg_2', rule_index: 0, starts_at: `${later.slice(0, -1)}.000000Z` }
  expect(doorsOf(policy)).toEqual({ gad_2: [{ ...rule, ends_at: `${last.slice(0, -1)}.000000Z` }] })
})

test('what has ended or is never open is not listed', () => {
  expect(doorsOf(hotel([{ gadget_id: 'gad_1' }], { ends_at: '2026-11-01T00:00:00Z' }))).toEqual({})
  expect(doorsOf(hotel([{ gadget_id: 'gad_1' }], {}, { ends_at: start }))).toEqual({})
  expect(doorsOf(hotel([{ gadget_id: 'gad_1', schedule_id: 'sch_1' }]))).toEqual({})
  expect(doorsOf(hotel([{ gadget_id: 'gad_1', access_methods: {} }]))).toEqual({})
})

test('at most a few rules are listed', () => {
  const many = Array.from({ length: mostStandingRules + 5 }, () => ({}))
  const policy = hotel(many, {}, { member_group_id: 'mg_1' })
  expect(doorsOf(policy).gad_1).toHaveLength(mostStandingRules)
})

test('what depends on a group, a schedule or a place is counted, with those who inherit it', () => {
  const at = toMicroseconds(start)
  const policy = hotel([{ gadget_id: 'gad_1', schedule_id: 'sch_1' }])
  const both = { member_group_ids: ['mg_1', 'mg_2'], member_count: 1, gadget_count: 1 }
  expect(usesOf(policy, { kind: 'schedule', id: 'sch_1', at })).toEqual(both)
  expect(usesOf(policy, { kind: 'member_group', id: 'mg_1', at })).toEqual(both)
  expect(usesOf(policy, { kind: 'gadget', id: 'gad_1', at })).toEqual(both)
  expect(usesOf(policy, { kind: 'device', id: 'dev_1', at })).toEqual({ ...both, gadget_count: 2 })
  expect(usesOf(policy, { kind: 'site', id: 'sit_1', at })).toEqual({ ...both, gadget_count: 2 })
  const nobody = { member_group_ids: [], member_count: 0, gadget_count: 1 }
  expect(usesOf(policy, { kind: 'gadget', id: 'gad_2', at })).toEqual(nobody)
  const ruleless = hotel([])
  expect(usesOf(ruleless, { kind: 'member_group', id: 'mg_1', at })).toEqual({ ...both, gadget_count: 0 })
  const left = hotel([{ gadget_id: 'gad_1' }], {}, { ends_at: start })
  expect(usesOf(left, { kind: 'member_group', id: 'mg_1', at }).member_count).toBe(0)
})
