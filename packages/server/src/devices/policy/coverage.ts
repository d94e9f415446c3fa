import type { PermissionRule } from '@gatehouse/api'
import type { GroupPlace, Places } from './places.ts'

/** Which groups can concern a gadget: by its own id, by its site, or because a rule names neither. */
export interface Coverage {
  readonly by_gadget: ReadonlyMap<string, ReadonlySet<string>>
  readonly by_site: ReadonlyMap<string, ReadonlySet<string>>
  readonly everywhere: ReadonlySet<string>
  readonly gadgets_of_device: ReadonlyMap<string, readonly string[]>
  /** Triggers by source and by target. */
  readonly triggers_of_gadget: ReadonlyMap<string, ReadonlySet<string>>
}

/** One pass over all rules, so that a device looks only at those groups that may concern it. */
export function indexCoverage(places: Places): Coverage {
  const by_gadget = new Map<string, Set<string>>()
  const by_site = new Map<string, Set<string>>()
  const everywhere = new Set<string>()
  for (const { id, permissions } of places.groups.values())
    for (const rule of permissions) {
      if (rule.gadget_id) add(by_gadget, rule.gadget_id, id)
      else if (rule.site_id) add(by_site, rule.site_id, id)
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
  return { by_gadget, by_site, everywhere, gadgets_of_device, triggers_of_gadget }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

/** The gadgets that inputs at a device can lead to: its own and the destinations of its input rules. */
export function targetsOf(places: Places, coverage: Coverage, deviceId: string): Set<string> {
  const own = coverage.gadgets_of_device.get(deviceId) ?? []
  const destinations = places.devices.get(deviceId)?.input_rules.map(rule => rule.gadget_id) ?? []
  return new Set([...own, ...destinations].filter(id => places.gadgets.has(id)))
}

/** A rule and its place in the group. */
export type NumberedRule = PermissionRule & { rule_index: number }

/** The groups that grant something at some of these gadgets, each with the rules that do; inherited ones too. */
export function groupsFor(
  places: Places,
  coverage: Coverage,
  targets: ReadonlySet<string>,
): Map<string, NumberedRule[]> {
  const sites = new Set([...targets].map(id => places.gadgets.get(id)?.site_id ?? ''))
  const candidates = new Set(targets.size > 0 ? coverage.everywhere : [])
  for (const id of targets) for (const group of coverage.by_gadget.get(id) ?? []) candidates.add(group)
  for (const id of sites) for (const group of coverage.by_site.get(id) ?? []) candidates.add(group)
  const found = new Map<string, NumberedRule[]>()
  const covers = (rule: PermissionRule) =>
    rule.gadget_id ? targets.has(rule.gadget_id) : rule.site_id ? sites.has(rule.site_id) : targets.size > 0
  const visiting = new Set<string>()
  const visit = (id: string): boolean => {
    if (found.has(id)) return true
    const group = places.groups.get(id)
    if (!group || visiting.has(id)) return false
    visiting.add(id)
    const rules = numbered(group).filter(
      rule => covers(rule) && (!rule.member_group_id || visit(rule.member_group_id)),
    )
    visiting.delete(id)
    if (rules.length > 0) found.set(id, rules)
    return rules.length > 0
  }
  for (const id of candidates) visit(id)
  return found
}

function numbered({ permissions }: GroupPlace): NumberedRule[] {
  return permissions.map((rule, rule_index) => ({ ...rule, rule_index }))
}
