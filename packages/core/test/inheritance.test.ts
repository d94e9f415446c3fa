import { expect, test } from 'vitest'
import {
  applyChange,
  compilePolicy,
  decide,
  explain,
  type GroupRow,
  type PermissionRule,
  type PolicyRows,
  whoMayUse,
} from '../src/index.ts'

const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))

function group(id: string, ...permissions: PermissionRule[]): GroupRow {
  return { id, permissions, is_deleted: false }
}

function policyOf(groups: GroupRow[]): PolicyRows {
  return {
    sites: [{ id: 'site_a', timezone: 'UTC', is_deleted: false }],
    devices: [{ id: 'dev_a', is_deleted: false }],
    gadgets: [
      { id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], is_deleted: false },
    ],
    schedules: [{ id: 'sch_a', weekdays, is_deleted: false }],
    groups,
    members: [{ id: 'mem_a', starts_at: null, ends_at: null, is_deleted: false }],
    associations: [
      {
        id: 'mga_a',
        member_id: 'mem_a',
        member_group_id: 'mg_0',
        starts_at: null,
        ends_at: null,
        is_deleted: false,
      },
    ],
    credentials: [],
  }
}

const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at: 0 }

test('a chain longer than the stack', () => {
  const length = 50_000
  const chain = Array.from({ length }, (_, index) =>
    group(`mg_${index}`, { member_group_id: `mg_${index + 1}` }),
  )
  const policy = compilePolicy(policyOf([...chain, group(`mg_${length}`, {})]))
  expect(decide(policy, question).allowed).toBe(true)
  expect(explain(policy, question).next_allowed_at).toBe('1970-01-01T00:00:00.000000Z')
  applyChange(policy, 'groups', group(`mg_${length}`))
  expect(decide(policy, question).reason).toBe('no_matching_rule')
})

test('more ways than could ever be walked', () => {
  const levels = Array.from({ length: 200 }, (_, index) =>
    group(
      `mg_${index}`,
      { member_group_id: `mg_${index + 1}`, schedule_id: 'sch_a' },
      { member_group_id: `mg_${index + 1}`, access_methods: { pin: true } },
    ),
  )
  const policy = compilePolicy(policyOf([...levels, group('mg_200', { site_id: 'site_b' })]))
  expect(explain(policy, question)).toMatchObject({ reason: 'no_matching_rule', next_allowed_at: null })
  applyChange(policy, 'groups', group('mg_200', { site_id: 'site_a' }))
  expect(decide(policy, question).allowed).toBe(true)
  expect([...whoMayUse(policy, question)]).toHaveLength(1)
})

test('a circle ends closed and opens again when it is broken', () => {
  const policy = compilePolicy(
    policyOf([group('mg_0', { member_group_id: 'mg_1' }), group('mg_1', { member_group_id: 'mg_0' }, {})]),
  )
  expect(decide(policy, question).reason).toBe('no_matching_rule')
  applyChange(policy, 'groups', group('mg_1', {}))
  expect(decide(policy, question).allowed).toBe(true)
})
