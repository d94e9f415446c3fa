import type { PermissionRule } from '@gatehouse/api'
import type { Steps } from '@gatehouse/core'
import type { Places } from './places.ts'

const none: ReadonlySet<string> = new Set()

/** Which devices a member of a group is known to: the way from groups to devices, where slices go the other way. */
export class GroupReach {
  #places: Places
  #gadgets = new Map<string, ReadonlySet<string>>()
  #devices = new Map<string, ReadonlySet<string>>()
  #readers = new Map<string, string[]>()

  constructor(places: Places) {
    this.#places = places
    for (const { id, input_rules } of places.devices.values())
      for (const gadget_id of new Set(input_rules.map(rule => rule.gadget_id))) {
        const readers = this.#readers.get(gadget_id)
        if (readers) readers.push(id)
        else this.#readers.set(gadget_id, [id])
      }
  }

  /** The same set each time for the same group. */
  *devicesOf(groupId: string): Steps<ReadonlySet<string>> {
    const known = this.#devices.get(groupId)
    if (known) return known
    yield* this.#learn(groupId)
    const devices = new Set<string>()
    for (const id of this.#gadgets.get(groupId) ?? none) {
      const owner = this.#places.gadgets.get(id)?.device_id
      for (const device of [owner ?? '', ...(this.#readers.get(id) ?? [])])
        if (this.#places.devices.has(device)) devices.add(device)
    }
    this.#devices.set(groupId, devices)
    return devices
  }

  /** Behind all that it inherits, each once. Not recursive: a chain may be longer than the stack. */
  *#learn(groupId: string): Steps<void> {
    const path = [groupId]
    const open = new Set<string>()
    for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
      const rules = distinct(this.#places.groups.get(id)?.permissions ?? [])
      const unknown = rules.flatMap(({ member_group_id: parent }) =>
        parent && !this.#gadgets.has(parent) && !open.has(parent) ? [parent] : [],
      )
      if (!this.#gadgets.has(id) && !open.has(id) && unknown.length > 0) path.push(...new Set(unknown))
      else {
        path.pop()
        if (!this.#gadgets.has(id)) this.#gadgets.set(id, yield* this.#granted(rules))
      }
      open.add(id)
      yield
    }
  }

  /** The gadgets that rules grant something at; what they inherit only within their own target. */
  *#granted(rules: readonly PermissionRule[]): Steps<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const { gadget_id, site_id, member_group_id } of rules) {
      const inherited = member_group_id ? (this.#gadgets.get(member_group_id) ?? none) : undefined
      for (const { id, site_id: site } of this.#targets(gadget_id ?? null))
        if ((!site_id || site === site_id) && (!inherited || inherited.has(id))) found.add(id)
      yield
    }
    return found
  }

  #targets(gadgetId: string | null): Iterable<{ id: string; site_id: string }> {
    if (gadgetId === null) return this.#places.gadgets.values()
    const gadget = this.#places.gadgets.get(gadgetId)
    return gadget ? [gadget] : []
  }
}

/** Of rules with the same target and inheritance one is enough. */
function distinct(rules: readonly PermissionRule[]): PermissionRule[] {
  const byTarget = rules.map(
    rule => [`${rule.gadget_id} ${rule.site_id} ${rule.member_group_id}`, rule] as const,
  )
  return [...new Map(byTarget).values()]
}
