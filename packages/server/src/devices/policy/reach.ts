import type { Places } from './places.ts'

/** Which devices a member of a group is known to: the way from groups to devices, where slices go the other way. */
export class GroupReach {
  #places: Places
  #gadgets = new Map<string, ReadonlySet<string>>()
  #readers = new Map<string, string[]>()

  constructor(places: Places) {
    this.#places = places
    for (const { id, input_rules } of places.devices.values())
      for (const { gadget_id } of input_rules)
        this.#readers.set(gadget_id, [...(this.#readers.get(gadget_id) ?? []), id])
  }

  devicesOf(groupId: string): Set<string> {
    const devices = new Set<string>()
    for (const id of this.#gadgetsOf(groupId, new Set())) {
      const owner = this.#places.gadgets.get(id)?.device_id
      for (const device of [owner ?? '', ...(this.#readers.get(id) ?? [])])
        if (this.#places.devices.has(device)) devices.add(device)
    }
    return devices
  }

  /** The gadgets that a group grants something at; what it inherits only within the target of its rule. */
  #gadgetsOf(groupId: string, above: ReadonlySet<string>): ReadonlySet<string> {
    const known = this.#gadgets.get(groupId)
    if (known) return known
    const group = this.#places.groups.get(groupId)
    if (!group || above.has(groupId)) return new Set()
    const found = new Set<string>()
    for (const { gadget_id, site_id, member_group_id } of group.permissions) {
      const inherited = member_group_id
        ? this.#gadgetsOf(member_group_id, new Set([...above, groupId]))
        : undefined
      for (const { id, site_id: site } of this.#targets(gadget_id ?? null))
        if ((!site_id || site === site_id) && (!inherited || inherited.has(id))) found.add(id)
    }
    this.#gadgets.set(groupId, found)
    return found
  }

  #targets(gadgetId: string | null): Iterable<{ id: string; site_id: string }> {
    if (gadgetId === null) return this.#places.gadgets.values()
    const gadget = this.#places.gadgets.get(gadgetId)
    return gadget ? [gadget] : []
  }
}
