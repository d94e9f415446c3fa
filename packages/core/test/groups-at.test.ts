import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compilePolicy,
  finish,
  type GroupRow,
  groupsAt,
  type PermissionRule,
  toMicroseconds,
  whatEverMayUse,
} from '../src/index.ts'
import { anyWorld, compileWorld, idOf } from './arbitrary-policy.ts'
import { runs } from './runs.ts'

const rest = { is_deleted: false }

function at(site: string, groups: readonly (readonly [string, ...PermissionRule[]])[]) {
  const gadget = (id: string, site_id: string, ...tag_ids: string[]) => ({
    ...{ id, site_id, tag_ids, device_id: 'dev_1', actions: [{ id: 'open' }], ...rest },
  })
  const policy = compilePolicy({
    sites: ['sit_1', 'sit_2'].map(id => ({ id, timezone: 'UTC', ...rest })),
    devices: [{ id: 'dev_1', ...rest }],
    gadgets: [gadget('gad_1', 'sit_1', 'tag_1', 'tag_2'), gadget('gad_2', 'sit_2', 'tag_2')],
    schedules: ['sch_1', 'sch_2'].map(id => ({ id, weekdays: Array(7).fill({ ranges: [] }), ...rest })),
    groups: groups.map(([id, ...permissions]): GroupRow => ({ id, permissions, ...rest })),
    members: [],
    associations: [],
    credentials: [],
  })
  const { reaching, confined, schedules, gadgets } = finish(groupsAt(policy, [site]))
  return { reaching: reaching.sort(), confined: confined.sort(), schedules, gadgets }
}

test('a group reaches a site by a rule for it, for a gadget there, for a tag there, or for everything', () => {
  const groups = [
    ['mg_all', {}],
    ['mg_both', { site_id: 'sit_1', schedule_id: 'sch_1' }, { gadget_id: 'gad_2', schedule_id: 'sch_2' }],
    ['mg_door', { gadget_id: 'gad_1', schedule_id: 'sch_1' }],
    ['mg_none'],
    ['mg_other', { site_id: 'sit_2' }],
    ['mg_site', { site_id: 'sit_1' }],
    ['mg_tag', { tag_id: 'tag_1' }],
    ['mg_tags', { tag_id: 'tag_2' }],
    ['mg_unused', { tag_id: 'tag_3' }],
  ] as const
  expect(at('sit_1', groups)).toEqual({
    reaching: ['mg_all', 'mg_both', 'mg_door', 'mg_site', 'mg_tag', 'mg_tags'],
    confined: ['mg_door', 'mg_site', 'mg_tag'],
    schedules: ['sch_1'],
    gadgets: ['gad_1'],
  })
})

test('what a group inherits has to match too, however they are sorted', () => {
  const groups = [
    ['mg_1', { member_group_id: 'mg_3' }],
    ['mg_2', { member_group_id: 'mg_4' }],
    ['mg_3', { site_id: 'sit_1' }],
    ['mg_4', {}],
    ['mg_5', { site_id: 'sit_1', member_group_id: 'mg_4' }],
    ['mg_6', { site_id: 'sit_2', member_group_id: 'mg_3' }],
  ] as const
  expect(at('sit_1', groups)).toMatchObject({
    reaching: ['mg_1', 'mg_2', 'mg_3', 'mg_4', 'mg_5'],
    confined: ['mg_1', 'mg_3', 'mg_5'],
  })
})

test('whoever can open a door of a site does so by a group that reaches it, and by no group of other sites', () => {
  fc.assert(
    fc.property(anyWorld, fc.nat(3), fc.nat(3), (world, member, site) => {
      const policy = compileWorld(world)
      const site_id = idOf('site', site)
      const { reaching, confined, gadgets } = finish(groupsAt(policy, [site_id]))
      const question = { member_id: idOf('mem', member), at: toMicroseconds(world.anchor) }
      for (const { gadget_id, rules } of whatEverMayUse(policy, question)) {
        const groups = rules.map(({ member_group_id }) => member_group_id)
        if (gadgets.includes(gadget_id)) expect(reaching).toEqual(expect.arrayContaining(groups))
        else expect(groups.filter(id => confined.includes(id))).toEqual([])
      }
    }),
    runs(40, 5000),
  )
})
