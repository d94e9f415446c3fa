import { livingGadget, type Tag } from './gadgets.ts'
import type { Group, Rule } from './groups.ts'
import { countDepths, grants } from './inheritance.ts'
import type { Policy } from './policy.ts'
import type { Steps } from './steps.ts'

export interface GroupsAt {
  /** Groups with a rule that covers a gadget of the sites, at whatever time and by whatever method. */
  reaching: string[]
  /** Those of them that reach nothing else. */
  confined: string[]
  /** The schedules of the rules by which groups reach the sites. */
  schedules: string[]
  /** The gadgets of the sites. */
  gadgets: string[]
  /** The tags that these have. */
  tags: string[]
}

interface Seen {
  sites: ReadonlySet<string>
  tags: ReadonlySet<Tag>
  /** Tags that gadgets of other sites have. */
  tags_elsewhere: ReadonlySet<Tag>
  reaching: Set<Group>
  confined: Set<Group>
}

/** Finds the groups that concern some sites. Groups come after those that they inherit from. */
export function* groupsAt(policy: Policy, siteIds: readonly string[]): Steps<GroupsAt> {
  const { gadgets, groups } = policy
  if (groups.are_depths_stale) yield* countDepths(groups)
  const sites = new Set(siteIds)
  const seen: Seen = { sites, ...tagsAt(policy, sites), reaching: new Set(), confined: new Set() }
  for (const group of inOrder(groups.by_number)) {
    yield
    if (!grants(group)) continue
    if (group.rules.some(rule => reaches(rule, seen))) seen.reaching.add(group)
    if (group.rules.every(rule => isConfined(rule, seen))) seen.confined.add(group)
  }
  yield
  const reaching = [...seen.reaching]
  const rules = reaching.flatMap(group => group.rules).filter(rule => reaches(rule, seen))
  return {
    reaching: reaching.map(idOf),
    confined: reaching.filter(group => seen.confined.has(group)).map(idOf),
    schedules: [...new Set(rules.flatMap(({ schedule }) => schedule?.id ?? []))],
    gadgets: gadgets.cells.filter(({ site }) => seen.sites.has(site.id)).map(idOf),
    tags: [...seen.tags].map(idOf),
  }
}

function tagsAt(policy: Policy, sites: ReadonlySet<string>): Pick<Seen, 'tags' | 'tags_elsewhere'> {
  const tags = new Set<Tag>()
  const tags_elsewhere = new Set<Tag>()
  for (const gadget of policy.gadgets.cells)
    if (gadget.tags.length > 0 && livingGadget(policy, gadget.id))
      for (const tag of gadget.tags) (sites.has(gadget.site.id) ? tags : tags_elsewhere).add(tag)
  return { tags, tags_elsewhere }
}

function inOrder(groups: readonly Group[]): readonly Group[] {
  const isFlat = groups.every(group => group.depth === 0)
  return isFlat ? groups : groups.toSorted((a, b) => (a.depth === b.depth ? 0 : a.depth - b.depth))
}

function reaches(rule: Rule, seen: Seen): boolean {
  return (
    (isEverywhere(rule) || isWithin(rule, seen) || isTagged(rule, seen)) &&
    (rule.inherits === null || seen.reaching.has(rule.inherits))
  )
}

/** Both the rule and the group that it inherits have to match, so it is enough that one of them goes no further. */
function isConfined(rule: Rule, seen: Seen): boolean {
  const isHere = rule.tag ? isTagged(rule, seen) && !seen.tags_elsewhere.has(rule.tag) : isWithin(rule, seen)
  return isHere || (rule.inherits !== null && seen.confined.has(rule.inherits))
}

function isEverywhere({ gadget, site, tag }: Rule): boolean {
  return gadget === null && site === null && tag === null
}

function isTagged({ tag }: Rule, { tags }: Seen): boolean {
  return tag !== null && tags.has(tag)
}

/** A gadget that is not known, because it is deleted, is at none of the sites. */
function isWithin({ gadget, site }: Rule, { sites }: Seen): boolean {
  const place = gadget?.site ?? site
  return place !== null && sites.has(place.id)
}

function idOf({ id }: { id: string }): string {
  return id
}
