import { type Gadget, gadgetsInOrder, isOnDevice, livingGadget } from './gadgets.ts'
import type { Group, Rule } from './groups.ts'
import { addHeir } from './inheritance.ts'
import type { Policy } from './policy.ts'
import { linksFrom } from './standing-access.ts'
import { finish, type Steps } from './steps.ts'

/** The kinds whose deletion takes access away. */
export type UsedKind = 'member_group' | 'schedule' | 'gadget' | 'device' | 'site' | 'tag'

export interface UsesQuery {
  kind: UsedKind
  id: string
  at: number
}

/** What depends on an object. */
export interface Uses {
  /** The groups with a rule that depends on it, or the group itself, and those that inherit them. */
  member_group_ids: string[]
  /** Members in these groups, now or later. */
  member_count: number
  /** Doors that these rules open; or that are in it. */
  gadget_count: number
}

const membersAStep = 256

export function usesOf(policy: Policy, query: UsesQuery): Uses {
  return finish(usesSteps(policy, query))
}

/** Visits every rule, every gadget and every member once. */
export function* usesSteps(policy: Policy, query: UsesQuery): Steps<Uses> {
  const inside = yield* insideOf(policy, query)
  const dependent = inside ? isAbout(query, inside) : isNaming(query)
  const rules = new Map<Group, Rule[]>()
  for (const group of policy.groups.by_number) {
    const found = group.is_living ? group.rules.filter(rule => dependent(rule, group)) : []
    // Who has a group, or inherits it, has what its first rule will give.
    if (found.length > 0 || (group.is_living && isItself(query, group))) rules.set(group, found)
    yield
  }
  const opened = [...rules.values()].flat()
  const doors = inside ?? (yield* doorsOf(policy, opened))
  const groups = yield* withHeirs(policy, rules.keys())
  return {
    member_group_ids: [...groups].map(({ id }) => id).sort(),
    member_count: yield* countMembers(policy, groups, query.at),
    gadget_count: doors.size,
  }
}

type Dependent = (rule: Rule, group: Group) => boolean

function isNaming({ kind, id }: UsesQuery): Dependent {
  if (kind === 'schedule') return ({ schedule }) => schedule?.id === id
  return kind === 'tag' ? ({ tag }) => tag?.id === id : (_, group) => group.id === id
}

function isItself({ kind, id }: UsesQuery, group: Group): boolean {
  return kind === 'member_group' && group.id === id
}

/** A rule for all doors goes on without some of them, but its members lose these. */
function isAbout({ kind, id }: UsesQuery, inside: ReadonlySet<Gadget>): Dependent {
  const sites = new Set([...inside].map(({ site }) => site))
  const tags = new Set([...inside].flatMap(gadget => gadget.tags))
  return ({ gadget, site, tag, inherits }) => {
    // Whoever inherits the group that opens it is found by that group.
    if (inherits !== null) return false
    if (gadget) return inside.has(gadget)
    if (tag) return tags.has(tag)
    if (site) return kind === 'site' ? site.id === id : sites.has(site)
    return inside.size > 0
  }
}

/** Returns the doors in a site, in a device, or the gadget itself; undefined for kinds that have none inside. */
function* insideOf(policy: Policy, { kind, id }: UsesQuery): Steps<ReadonlySet<Gadget> | undefined> {
  if (kind === 'member_group' || kind === 'schedule' || kind === 'tag') return undefined
  const isInside = (gadget: Gadget) => {
    if (kind === 'gadget') return gadget.id === id
    return kind === 'site' ? gadget.site.id === id : isOnDevice(policy, gadget, id)
  }
  return yield* livingOf(policy, isInside)
}

function* livingOf(policy: Policy, isMeant: (gadget: Gadget) => boolean): Steps<ReadonlySet<Gadget>> {
  const found = new Set<Gadget>()
  for (const gadget of gadgetsInOrder(policy.gadgets)) {
    yield
    if (isMeant(gadget) && livingGadget(policy, gadget.id)) found.add(gadget)
  }
  return found
}

/** Returns the doors that rules open by themselves. What they inherit is opened by others too. */
function* doorsOf(policy: Policy, rules: readonly Rule[]): Steps<ReadonlySet<Gadget>> {
  const opens = rules.filter(({ inherits }) => inherits === null)
  const is_all = opens.some(({ gadget, site, tag }) => gadget === null && site === null && tag === null)
  const sites = new Set(opens.flatMap(({ site }) => site ?? []))
  const gadgets = new Set(opens.flatMap(({ gadget }) => gadget ?? []))
  const tags = new Set(opens.flatMap(({ tag }) => tag ?? []))
  const isTagged = (gadget: Gadget) => gadget.tags.some(tag => tags.has(tag))
  return yield* livingOf(
    policy,
    gadget => is_all || gadgets.has(gadget) || sites.has(gadget.site) || isTagged(gadget),
  )
}

function* withHeirs({ groups }: Policy, given: Iterable<Group>): Steps<ReadonlySet<Group>> {
  const found = new Set(given)
  const heirs = new Map<Group, Group[]>()
  for (const group of groups.by_number) {
    for (const parent of group.is_living ? group.inherits : []) addHeir(heirs, parent, group)
    yield
  }
  for (const group of found) for (const heir of heirs.get(group) ?? []) found.add(heir)
  return found
}

function* countMembers(policy: Policy, groups: ReadonlySet<Group>, at: number): Steps<number> {
  let count = 0
  if (groups.size === 0) return count
  for (let member = 0; member < policy.members.ids.count; member++) {
    if (member % membersAStep === 0) yield
    if (linksFrom(policy, member, at).some(({ group }) => groups.has(group))) count++
  }
  return count
}
