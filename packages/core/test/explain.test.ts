import { expect, test } from 'vitest'
import { compilePolicy, explain, type PermissionRule, type PolicyRows, toMicroseconds } from '../src/index.ts'

const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }
const evening = Array.from({ length: 7 }, () => ({ ranges: [{ start: 18 * 3600, end: 22 * 3600 }] }))
const other: PermissionRule[] = Array.from({ length: 40 }, (_, index) => ({ gadget_id: `gad_${index}` }))

const rows: PolicyRows = {
  sites: [{ id: 'site_a', timezone: 'UTC', ...living }],
  devices: [{ id: 'dev_a', ...living }],
  gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
  schedules: [{ id: 'sch_evening', weekdays: evening, ...living }],
  groups: [
    {
      id: 'mg_few',
      permissions: [{ gadget_id: 'gad_b' }, { schedule_id: 'sch_evening' }, { presence: 'gps' }],
      ...living,
    },
    { id: 'mg_many', permissions: [...other, {}, { site_id: 'site_a', action_id: 'close' }], ...living },
    { id: 'mg_heir', permissions: [{ member_group_id: 'mg_few', access_methods: { pin: true } }], ...living },
    { id: 'mg_elsewhere', permissions: other, ...living },
  ],
  members: [{ id: 'mem_a', ...unbounded }],
  associations: [
    { id: 'mga_4', member_id: 'mem_a', member_group_id: 'mg_elsewhere', ...unbounded },
    { id: 'mga_3', member_id: 'mem_a', member_group_id: 'mg_heir', ...unbounded },
    { id: 'mga_1', member_id: 'mem_a', member_group_id: 'mg_few', ...unbounded },
    {
      id: 'mga_2',
      member_id: 'mem_a',
      member_group_id: 'mg_many',
      ...unbounded,
      ends_at: '2026-01-01T00:00:00.000000Z',
    },
  ],
  credentials: [],
}

function explainAt(timestamp: string) {
  const question = {
    member_id: 'mem_a',
    gadget_id: 'gad_a',
    action_id: 'open',
    access_method: 'online' as const,
  }
  return explain(compilePolicy(rows), { ...question, at: toMicroseconds(timestamp) })
}

function tried(
  association: string,
  group: string,
  rule_index: number | null,
  failed: string | null,
  is_inherited = false,
) {
  return {
    member_group_association_id: association,
    member_group_id: group,
    rule_index,
    is_inherited,
    failed,
    schedule_day: null,
  }
}

/** The day on which a schedule without special days was read. */
function onWeekday(date: string) {
  return { schedule_day: { date, source: 'weekday', kind: null, calendar_day_id: null } }
}

test('lists the rules that could match, each with the first condition that failed', () => {
  expect(explainAt('2026-11-16T12:00:00.000000Z')).toEqual({
    allowed: false,
    reason: 'not_present',
    rules: [
      { ...tried('mga_1', 'mg_few', 1, 'outside_schedule'), ...onWeekday('2026-11-16') },
      tried('mga_1', 'mg_few', 2, 'not_present'),
      tried('mga_2', 'mg_many', null, 'association_ended'),
      tried('mga_3', 'mg_heir', 0, 'method_not_allowed'),
      { ...tried('mga_3', 'mg_few', 1, 'outside_schedule', true), ...onWeekday('2026-11-16') },
      tried('mga_3', 'mg_few', 2, 'not_present', true),
      tried('mga_4', 'mg_elsewhere', null, 'no_matching_rule'),
    ],
    next_allowed_at: '2026-11-16T18:00:00.000000Z',
  })
})

test('finds the rules of a group that has many', () => {
  expect(
    explainAt('2025-11-16T12:00:00.000000Z').rules.filter(rule => rule.member_group_id === 'mg_many'),
  ).toEqual([tried('mga_2', 'mg_many', 40, null), tried('mga_2', 'mg_many', 41, 'no_matching_rule')])
})

test('what cannot be explained by rules has none', () => {
  const unknown = explain(compilePolicy(rows), {
    member_id: 'mem_b',
    gadget_id: 'gad_a',
    action_id: 'open',
    at: 0,
  })
  expect(unknown).toEqual({ allowed: false, reason: 'unknown_credential', rules: [], next_allowed_at: null })
})

test('when the time is not known, only what is not bound to time is granted', () => {
  const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at: Number.NaN }
  const ends = [{ id: 'mem_a', ...unbounded, ends_at: '2027-01-01T00:00:00.000000Z' }]
  expect(explain(compilePolicy({ ...rows, members: ends }), question)).toMatchObject({
    reason: 'member_not_started',
  })
  const evenings = [{ id: 'mg_few', permissions: [{ schedule_id: 'sch_evening' }], ...living }]
  expect(explain(compilePolicy({ ...rows, groups: evenings }), question)).toMatchObject({
    reason: 'outside_schedule',
  })
  const free = [{ id: 'mg_few', permissions: [{}], ...living }]
  expect(explain(compilePolicy({ ...rows, groups: free }), question)).toMatchObject({
    allowed: true,
    next_allowed_at: null,
  })
})
