import { expect, test } from 'vitest'
import {
  compilePolicy,
  decideSteps,
  explain,
  makeId,
  type PolicyRows,
  toMicroseconds,
  waysToUse,
  whatMayUse,
} from '../src/index.ts'

/**
 * The worst case that a single token can build from allowed requests. Questions about it must not block other
 * callers.
 */
const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const places = {
  sites: [{ id: 'site_a', timezone: 'Europe/Madrid', ...living }],
  devices: [{ id: 'dev_a', ...living }],
  gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
  members: [{ id: 'mem_a', ...unbounded }],
  credentials: [],
}

function compile(
  rows: Pick<PolicyRows, 'schedules' | 'groups'>,
  group: string,
  associations: number,
  gadgets: PolicyRows['gadgets'] = places.gadgets,
) {
  return compilePolicy({
    ...places,
    ...rows,
    gadgets,
    associations: Array.from({ length: associations }, (_, index) => ({
      id: `mga_${index}`,
      member_id: 'mem_a',
      member_group_id: group,
      ...unbounded,
    })),
  })
}

function ask(rows: Pick<PolicyRows, 'schedules' | 'groups'>, group: string, associations: number) {
  const at = toMicroseconds('2026-11-16T05:59:59.500000Z')
  const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at }
  return explain(compile(rows, group, associations), question)
}

test('an explanation stays short whatever a member inherits', () => {
  const parents = Array.from({ length: 100 }, (_, index) => ({
    id: `mg_${index}`,
    permissions: Array.from({ length: 500 }, () => ({ access_methods: {} })),
    ...living,
  }))
  const heir = { id: 'mg_heir', permissions: parents.map(({ id }) => ({ member_group_id: id })), ...living }
  const { rules, reason } = ask({ schedules: [], groups: [...parents, heir] }, 'mg_heir', 200)
  expect(rules.length).toBe(1000)
  expect(reason).toBe('method_not_allowed')
})

/** Ranges of one second each. The ranges of all schedules interleave. */
function crowded(index: number) {
  const ranges = Array.from({ length: 100 }, (_, place) => ({
    start: place * 860 + index * 2,
    end: place * 860 + index * 2 + 1,
  }))
  return { id: `sch_${index}`, weekdays: Array.from({ length: 7 }, () => ({ ranges })), ...living }
}

test('the next time is found quickly among very many ranges, at any depth', () => {
  const schedules = Array.from({ length: 400 }, (_, index) => crowded(index))
  const groups = Array.from({ length: 5 }, (_, depth) => ({
    id: `mg_${depth}`,
    permissions: schedules.map(({ id }) => ({
      schedule_id: id,
      ...(depth > 0 && { member_group_id: `mg_${depth - 1}` }),
    })),
    ...living,
  }))
  const began = process.cpuUsage()
  const { allowed, next_allowed_at } = ask({ schedules, groups }, 'mg_4', 50)
  expect({ allowed, next_allowed_at }).toEqual({
    allowed: false,
    next_allowed_at: '2026-11-16T06:00:00.000000Z',
  })
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000)
})

test('what a member may use is found quickly though every group of it inherits the same many', () => {
  const parents = Array.from({ length: 50 }, (_, index) => ({
    id: `mg_${index}`,
    permissions: Array.from({ length: 500 }, () => ({ access_methods: {} })),
    ...living,
  }))
  const heir = { id: 'mg_heir', permissions: parents.map(({ id }) => ({ member_group_id: id })), ...living }
  const gadgets = Array.from({ length: 50 }, (_, index) => ({
    ...(places.gadgets[0] as PolicyRows['gadgets'][number]),
    id: `gad_${index}`,
  }))
  const policy = compile({ schedules: [], groups: [...parents, heir] }, 'mg_heir', 100, gadgets)
  const began = process.cpuUsage()
  expect([...whatMayUse(policy, { member_id: 'mem_a', at: 0 })]).toEqual([])
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
})

test('a page of doors costs what its rules cost, not that for every door, and can be paused all along', () => {
  const schedules = Array.from({ length: 60 }, (_, index) => crowded(index))
  const groups = Array.from({ length: 4 }, (_, depth) => ({
    id: `mg_${depth}`,
    permissions: Array.from({ length: 500 }, (_, index) => ({
      schedule_id: `sch_${(index * 7) % 60}`,
      ...(depth > 0 && { member_group_id: `mg_${depth - 1}` }),
    })),
    ...living,
  }))
  const gadgets = Array.from({ length: 32 }, (_, index) => ({
    ...(places.gadgets[0] as PolicyRows['gadgets'][number]),
    id: `gad_${String(index).padStart(2, '0')}`,
    actions: [{ id: 'open' }, { id: 'close' }, { id: 'ring' }],
  }))
  const policy = compile({ schedules, groups }, 'mg_3', 1, gadgets)
  const began = process.cpuUsage()
  const listed = [
    ...waysToUse(policy, { member_id: 'mem_a', at: toMicroseconds('2026-11-16T05:59:59.500000Z') }),
  ]
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000)
  expect(listed.length).toBe(96)
  expect(listed[95]?.ways.map(way => way.next_allowed_at)).toEqual(
    Array.from({ length: 5 }, () => '2026-11-16T06:10:00.000000Z'),
  )
})

test('a member in very many groups is compiled as quickly as as many members', () => {
  const group = { id: 'mg_a', permissions: [{}], ...living }
  const associations = Array.from({ length: 40_000 }, (_, index) => ({
    id: makeId('mga', index, new Uint8Array(7)),
    member_id: 'mem_a',
    member_group_id: 'mg_a',
    ...unbounded,
  }))
  const began = process.cpuUsage()
  const policy = compilePolicy({ ...places, schedules: [], groups: [group], associations })
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000)
  const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at: 0 }
  const { rules } = explain(policy, question)
  expect(rules.map(rule => rule.member_group_association_id)).toEqual(
    associations.slice(0, 1000).map(({ id }) => id),
  )
})

test('a decision about a member in very many groups can be paused all along', () => {
  const groups = Array.from({ length: 300 }, (_, index) => ({
    id: `mg_${index}`,
    permissions: Array.from({ length: 500 }, () => ({
      access_methods: {},
      ...(index > 0 && { member_group_id: `mg_${index - 1}` }),
    })),
    ...living,
  }))
  const policy = compile({ schedules: [], groups }, 'mg_299', 500)
  const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at: 0 }
  const steps = [...decideSteps(policy, question)]
  expect(steps.length).toBeGreaterThan(500)
})
