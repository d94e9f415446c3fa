import type { Steps } from '@gatehouse-access/core'
import { type Coverage, groupsFor, targetsOf } from './coverage.ts'
import type { Places } from './places.ts'

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
    const found = yield* groupsFor(places, coverage, targetsOf(places, coverage, device), groups)
    for (const group of found.keys()) byGroup.get(group)?.add(device)
    yield
  }
  return byGroup
}

/** Returns the devices that rules of the groups may target, whatever the rules inherit. */
function* candidates(places: Places, groups: ReadonlySet<string>): Steps<Iterable<string>> {
  const rules = [...groups].flatMap(group => places.groups.get(group)?.permissions ?? [])
  if (rules.some(rule => !rule.gadget_id && !rule.site_id)) return places.devices.keys()
  const gadgets = new Set(rules.flatMap(rule => rule.gadget_id ?? []))
  const sites = new Set(rules.flatMap(rule => (rule.gadget_id ? [] : (rule.site_id ?? []))))
  const found = new Set<string>()
  for (const { id, site_id, device_id } of places.gadgets.values()) {
    if (sites.has(site_id)) gadgets.add(id)
    if (gadgets.has(id)) found.add(device_id)
    yield
  }
  for (const { id, input_rules } of places.devices.values()) {
    if (input_rules.some(({ gadget_id }) => gadgets.has(gadget_id))) found.add(id)
    yield
  }
  return found
}
