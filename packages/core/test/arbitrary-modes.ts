import fc from 'fast-check'
import type { EmergencyRow, GadgetRow, OverrideRow, ScheduleRow, UnlockRuleRow } from '../src/index.ts'
import { anyEmergency, anyOverride, anySchedule, anyTime, anyUnlockRule } from './arbitrary-door.ts'
import { anyGadget, anyWorld, idOf, type World } from './arbitrary-policy.ts'

const gadgets = [0, 1, 2, 3].map(number => idOf('gad', number))
const groups = [0, 1, 2, 3].map(number => idOf('mg', number))
const sites = [0, 1, 2, 3].map(number => idOf('site', number))
const schedules = ['sch_unlock0', 'sch_unlock1']

/** A gadget that is mostly a door; its second action lets people out of some. */
export function anyDoorGadget(id: string): fc.Arbitrary<GadgetRow> {
  const door = fc.record({
    release_action_id: fc.constant('open'),
    hold_action_id: fc.constantFrom('hold', 'hold', null),
    exit_action_ids: fc.constantFrom([], ['close'], null),
    egress: fc.constantFrom('mechanical' as const, 'electric' as const),
  })
  const tag_ids = fc.subarray(['tag_1', 'tag_2'])
  return fc
    .tuple(anyGadget(id), fc.option(door, { nil: null }), tag_ids)
    .map(([row, own, tags]) => ({ ...row, door: own, tag_ids: tags }))
}

export function anyUnlockRuleRow(number: number, anchor: string): fc.Arbitrary<UnlockRuleRow> {
  const named = fc.record({
    gadget_ids: fc.subarray(gadgets),
    schedule_id: fc.constantFrom(...schedules),
    member_group_ids: fc.subarray(groups),
  })
  return fc
    .tuple(anyUnlockRule(`ur_${number}`, anchor), named)
    .map(([row, { member_group_ids, ...rest }]) => {
      const { schedule: _, first_person, ...rule } = row
      return { ...rule, ...rest, first_person: first_person ? { ...first_person, member_group_ids } : null }
    })
}

export function anyOverrideRow(number: number, anchor: string): fc.Arbitrary<OverrideRow> {
  return anyOverride(anchor).map(row => ({ ...row, id: idOf('gad', number) }))
}

export function anyEmergencyRow(number: number, anchor: string): fc.Arbitrary<EmergencyRow> {
  const targets = fc.record({
    site_ids: fc.subarray(sites),
    gadget_ids: fc.subarray(gadgets),
    tag_ids: fc.subarray(['tag_1', 'tag_3']),
    excluded_gadget_ids: fc.subarray(gadgets),
  })
  const named = fc.record({
    targets,
    exempt_member_group_ids: fc.subarray(groups),
    unlocked_gadget_ids: fc.constantFrom([], [], gadgets.slice(0, 2)),
  })
  return fc.tuple(anyEmergency(`em_${number}`, anchor), named).map(([row, rest]) => ({ ...row, ...rest }))
}

export function anyUnlockSchedule(id: string, anchor: string): fc.Arbitrary<ScheduleRow> {
  return anySchedule(anchor).map(times => ({ ...times, id, is_deleted: false }))
}

function anyFire(anchor: string) {
  const fire = fc.record({ since: anyTime(anchor), release_gadget_ids: fc.subarray(gadgets) })
  return fc.option(fire, { freq: 1, nil: null })
}

/** A world with doors. Its anchor is at a quarter of an hour, and no zone has a table: the oracle has none. */
export const anyDoorWorld: fc.Arbitrary<World> = anyWorld
  .filter(({ anchor }) => anchor.startsWith('20') && anchor.slice(14, 16) !== '31')
  .chain(({ anchor, rows: { zones: _, ...rows } }) =>
    fc
      .record({
        gadgets: fc.tuple(...gadgets.map(anyDoorGadget)),
        fires: fc.tuple(...sites.map(() => anyFire(anchor))),
        unlocks: fc.tuple(...schedules.map(id => anyUnlockSchedule(id, anchor))),
        unlock_rules: fc
          .tuple(anyUnlockRuleRow(0, anchor), anyUnlockRuleRow(1, anchor))
          .chain(rules => fc.subarray(rules)),
        overrides: fc
          .tuple(anyOverrideRow(0, anchor), anyOverrideRow(1, anchor))
          .chain(own => fc.subarray(own)),
        emergencies: fc.oneof(
          fc.constant([]),
          fc.tuple(anyEmergencyRow(0, anchor), anyEmergencyRow(1, anchor)),
        ),
      })
      .map(({ fires, unlocks, ...modes }) => ({
        anchor,
        rows: {
          ...rows,
          ...modes,
          sites: rows.sites.map((site, place) => ({ ...site, fire: fires[place] ?? null })),
          schedules: [...rows.schedules, ...unlocks],
        },
      })),
  )
