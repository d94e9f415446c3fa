import { capabilityNames, type PermissionRule } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { meetNeeds } from '../modes/meet-needs.ts'
import type { ModeView } from '../modes/mode-view.ts'
import { type Coverage, groupsFor, readsSchedule, targetsOf } from './coverage.ts'
import type { Places } from './places.ts'

interface Organization {
  readonly places: Places
  readonly coverage: Coverage
  readonly view: ModeView
}

/**
 * Returns, for each group, which of the devices have it in their slice. Uses the same check that builds
 * slices, restricted to few devices.
 */
export function* devicesByGroup(
  places: Places,
  coverage: Coverage,
  groups: ReadonlySet<string>,
  devices: { has(id: string): boolean },
): Steps<Map<string, Set<string>>> {
  const byGroup = new Map([...groups].map(group => [group, new Set<string>()]))
  for (const device of yield* candidates(places, groups)) {
    if (!devices.has(device)) continue
    const found = yield* groupsFor(places, coverage, targetsOf(places, coverage, device), { only: groups })
    for (const group of found.keys()) byGroup.get(group)?.add(device)
    yield
  }
  return byGroup
}

/**
 * Returns, for each group, which of its devices were not sent all of its rules, inherited ones included, because
 * they lack a capability.
 */
export function* incompleteByGroup(
  { places, coverage, view }: Organization,
  byGroup: ReadonlyMap<string, ReadonlySet<string>>,
  devices: ReadonlyMap<string, { readonly missing: readonly string[] | null }>,
): Steps<Map<string, Set<string>>> {
  const incomplete = new Map([...byGroup.keys()].map(group => [group, new Set<string>()]))
  const lacking = new Set(
    [...byGroup.values()].flatMap(ids => [...ids].filter(id => devices.get(id)?.missing?.length)),
  )
  for (const device of lacking) {
    const missing = devices.get(device)?.missing ?? []
    const capabilities = new Set(capabilityNames.filter(name => !missing.includes(name)))
    const targets = targetsOf(places, coverage, device)
    const leavesOut = (rule: PermissionRule) => !readsSchedule(capabilities, places, rule.schedule_id)
    const whole = yield* groupsFor(places, coverage, targets)
    const sent = yield* groupsFor(places, coverage, targets, { leavesOut })
    const needs = yield* view.needsOf(device, capabilities, targets)
    yield* meetNeeds(places, sent, needs, { targets, only: undefined })
    for (const [group, ids] of incomplete)
      if (whole.has(group) && !isWhole(group, whole, sent)) ids.add(device)
    yield
  }
  return incomplete
}

/** A rule may have been sent for fewer gadgets and actions than it is for. */
function areSame(rules: readonly PermissionRule[], sent: readonly PermissionRule[]): boolean {
  return (
    rules.length === sent.length &&
    rules.every(
      ({ gadget_id, action_id }, index) =>
        gadget_id === sent[index]?.gadget_id && action_id === sent[index]?.action_id,
    )
  )
}

type Granted = ReadonlyMap<string, readonly PermissionRule[]>

/** Whether all rules of a group were sent, and of the groups that it inherits. Cycles grant nothing. */
function isWhole(group: string, whole: Granted, sent: Granted): boolean {
  const seen = new Set([group])
  for (const id of seen) {
    const rules = whole.get(id) ?? []
    if (!areSame(rules, sent.get(id) ?? [])) return false
    for (const { member_group_id } of rules) if (member_group_id) seen.add(member_group_id)
  }
  return true
}

/** Returns the devices that rules of the groups may target, whatever the rules inherit. */
function* candidates(places: Places, groups: ReadonlySet<string>): Steps<Iterable<string>> {
  const rules = [...groups].flatMap(group => places.groups.get(group)?.permissions ?? [])
  if (rules.some(rule => !rule.gadget_id && !rule.site_id && !rule.tag_id)) return places.devices.keys()
  const gadgets = new Set(rules.flatMap(rule => rule.gadget_id ?? []))
  const sites = new Set(rules.flatMap(rule => (rule.gadget_id ? [] : (rule.site_id ?? []))))
  const tags = new Set(rules.flatMap(rule => rule.tag_id ?? []))
  const found = new Set<string>()
  for (const { id, site_id, device_id } of places.gadgets.values()) {
    if (sites.has(site_id) || places.tags.get(id)?.some(tag => tags.has(tag))) gadgets.add(id)
    if (gadgets.has(id)) found.add(device_id)
    yield
  }
  for (const { id, input_rules } of places.devices.values()) {
    if (input_rules.some(({ gadget_id }) => gadgets.has(gadget_id))) found.add(id)
    yield
  }
  return found
}
