import type { DeviceCapability, PermissionRule } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Places } from './places.ts'
import { byTag } from './tags.ts'

/** The groups that may concern a gadget: by its id, by its site, by a tag, or by a rule that names none. */
export interface Coverage {
  readonly by_gadget: ReadonlyMap<string, ReadonlySet<string>>
  readonly by_site: ReadonlyMap<string, ReadonlySet<string>>
  readonly by_tag: ReadonlyMap<string, ReadonlySet<string>>
  readonly everywhere: ReadonlySet<string>
  readonly gadgets_of_device: ReadonlyMap<string, readonly string[]>
  /** Triggers by source and by target. */
  readonly triggers_of_gadget: ReadonlyMap<string, ReadonlySet<string>>
}

/** Indexes all rules in one pass, so that a device only looks at groups that may concern it. */
export function* indexCoverage(places: Places): Steps<Coverage> {
  const by_gadget = new Map<string, Set<string>>()
  const by_site = new Map<string, Set<string>>()
  const by_tag = new Map<string, Set<string>>()
  const everywhere = new Set<string>()
  for (const { id, permissions } of places.groups.values()) {
    yield
    for (const rule of permissions)
      if (rule.gadget_id) add(by_gadget, rule.gadget_id, id)
      else if (rule.site_id) add(by_site, rule.site_id, id)
      else if (rule.tag_id) add(by_tag, rule.tag_id, id)
      else everywhere.add(id)
  }
  const gadgets_of_device = new Map<string, string[]>()
  for (const { id, device_id } of places.gadgets.values()) {
    const gadgets = gadgets_of_device.get(device_id)
    if (gadgets) gadgets.push(id)
    else gadgets_of_device.set(device_id, [id])
  }
  const triggers_of_gadget = new Map<string, Set<string>>()
  for (const { id, source_gadget_id, target_gadget_id } of places.triggers.values()) {
    add(triggers_of_gadget, target_gadget_id, id)
    if (source_gadget_id) add(triggers_of_gadget, source_gadget_id, id)
  }
  return { by_gadget, by_site, by_tag, everywhere, gadgets_of_device, triggers_of_gadget }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

/** Returns the gadgets that inputs at a device can reach: its own and the targets of its input rules. */
export function targetsOf(places: Places, coverage: Coverage, deviceId: string): Set<string> {
  const own = coverage.gadgets_of_device.get(deviceId) ?? []
  const destinations = places.devices.get(deviceId)?.input_rules.map(rule => rule.gadget_id) ?? []
  return new Set([...own, ...destinations].filter(id => places.gadgets.has(id)))
}

/** Returns the gadgets whose actions a device may run or refuse: `targetsOf` it, and those of its triggers. */
export function decidedAt(places: Places, coverage: Coverage, deviceId: string): Set<string> {
  const reached = targetsOf(places, coverage, deviceId)
  for (const gadget of coverage.gadgets_of_device.get(deviceId) ?? [])
    for (const id of coverage.triggers_of_gadget.get(gadget) ?? [])
      reached.add(places.triggers.get(id)?.target_gadget_id ?? gadget)
  return reached
}

/** A rule with its index in the group. */
type NumberedRule = PermissionRule & { rule_index: number }

/** Which groups and rules are looked at. */
interface Scope {
  /** These groups and those that they inherit. */
  readonly only?: ReadonlySet<string> | undefined
  /** Rules that grant nothing, because the device would misread them. */
  leavesOut?(rule: PermissionRule): boolean
}

/**
 * Returns the groups that grant something at these gadgets, inherited included, with the granting rules. A rule for a
 * tag becomes one for each of the gadgets that have it.
 */
export function* groupsFor(
  places: Places,
  coverage: Coverage,
  targets: ReadonlySet<string>,
  { only, leavesOut }: Scope = {},
): Steps<Map<string, NumberedRule[]>> {
  const sites = new Set([...targets].map(id => places.gadgets.get(id)?.site_id ?? ''))
  const tagged = byTag(places.tags, targets)
  const isNear = ({ gadget_id, site_id, tag_id }: PermissionRule) => {
    if (gadget_id) return targets.has(gadget_id)
    if (tag_id) return tagged.has(tag_id)
    return site_id ? sites.has(site_id) : targets.size > 0
  }
  const resolve: Resolve = rule =>
    rule.tag_id ? (tagged.get(rule.tag_id) ?? []).map(gadget_id => ({ ...rule, gadget_id })) : [rule]
  const covers = (rule: PermissionRule) => isNear(rule) && !leavesOut?.(rule)
  const found = new Map<string, NumberedRule[]>()
  for (const id of candidatesFor(coverage, targets, sites, tagged.keys()))
    if (only === undefined || only.has(id)) yield* addGroup(places, id, { covers, resolve }, found)
  for (const [id, rules] of found) if (rules.length === 0) found.delete(id)
  return found
}

function candidatesFor(
  coverage: Coverage,
  targets: ReadonlySet<string>,
  sites: ReadonlySet<string>,
  tags: Iterable<string>,
): Set<string> {
  const candidates = new Set(targets.size > 0 ? coverage.everywhere : [])
  for (const id of targets) for (const group of coverage.by_gadget.get(id) ?? []) candidates.add(group)
  for (const id of sites) for (const group of coverage.by_site.get(id) ?? []) candidates.add(group)
  for (const id of tags) for (const group of coverage.by_tag.get(id) ?? []) candidates.add(group)
  return candidates
}

type Resolve = (rule: PermissionRule) => readonly PermissionRule[]

interface Granting {
  covers(rule: PermissionRule): boolean
  /** Returns the rules that a device is sent for one. */
  readonly resolve: Resolve
}

/**
 * Adds a group after the groups that it inherits. Each is added once, without rules if it grants nothing.
 * Iterative, because a chain may be deeper than the stack. A rule that inherits in a cycle grants nothing.
 */
function* addGroup(
  places: Places,
  first: string,
  granting: Granting,
  found: Map<string, NumberedRule[]>,
): Steps<void> {
  const path = [first]
  const open = new Set<string>()
  for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
    const rules = places.groups.get(id)?.permissions ?? []
    const parents = new Set(rules.filter(granting.covers).map(rule => rule.member_group_id ?? ''))
    const unknown = [...parents].filter(parent => parent !== '' && !found.has(parent) && !open.has(parent))
    if (!found.has(id) && !open.has(id) && unknown.length > 0) path.push(...unknown)
    else {
      path.pop()
      if (!found.has(id)) found.set(id, grantedRules(rules, granting, found))
    }
    open.add(id)
    yield
  }
}

function grantedRules(
  rules: readonly PermissionRule[],
  { covers, resolve }: Granting,
  found: ReadonlyMap<string, NumberedRule[]>,
): NumberedRule[] {
  const granted: NumberedRule[] = []
  for (const [rule_index, rule] of rules.entries()) {
    const inherited = rule.member_group_id ? found.get(rule.member_group_id) : undefined
    if (covers(rule) && (!rule.member_group_id || (inherited?.length ?? 0) > 0))
      granted.push(...resolve(rule).map(part => ({ ...part, rule_index })))
  }
  return granted
}

/**
 * Whether a device can read rows that name a schedule. Special days and exceptions would be open for a device
 * that knows only weekdays.
 */
export function readsSchedule(
  capabilities: ReadonlySet<DeviceCapability>,
  { schedules }: Places,
  scheduleId: string | null | undefined,
): boolean {
  if (!scheduleId || capabilities.has('schedule_exceptions')) return true
  const schedule = schedules.get(scheduleId)
  return !schedule?.special_days && !schedule?.exceptions
}
