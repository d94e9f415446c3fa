import type { PermissionRule } from '@gatehouse-access/api'
import type { DoorPlace, Emergency, Steps } from '@gatehouse-access/core'
import { type DoorIndex, placesOf, reached } from './doors-of.ts'
import { isLocking } from './find-lockdowns.ts'
import type { ModeSources } from './mode-sources.ts'

/**
 * Doors of a controller that does not understand modes, and who is sent with their rules nevertheless. It then
 * denies too much, never too little: those who are exempt from every lockdown, and first persons.
 */
export type Locks = ReadonlyMap<string, Lock>

interface Lock {
  readonly groups: ReadonlySet<string>
  /** Actions that let people out: nobody is ever kept in. */
  readonly exits: readonly string[]
}

/** Returns the locks of some gadgets, and whether anything sets their modes at all. */
export function* locksOf(
  sources: ModeSources,
  index: DoorIndex,
  gadgets: Iterable<string>,
): Steps<{ locks: Locks; is_concerned: boolean }> {
  const locks = new Map<string, Lock>()
  let isConcerned = false
  for (const door of placesOf(index, gadgets)) {
    const asked = conditionsOf(sources, door)
    isConcerned ||= asked.is_concerned
    const [first, ...others] = asked.groups
    const exits = index.gadgets.get(door.gadget_id)?.door?.exit_action_ids ?? []
    if (first) locks.set(door.gadget_id, { groups: common(first, others), exits })
    yield
  }
  return { locks, is_concerned: isConcerned }
}

function conditionsOf(sources: ModeSources, door: DoorPlace) {
  const { gadget_id } = door
  const emergencies = [...sources.emergencies.values()].map(({ reach }) => reach)
  const rules = [...sources.unlock_rules.values()].filter(rule => rule.gadgets.has(gadget_id))
  const here = emergencies.filter(reach => concernsDoor(reach, door))
  const locking = here.filter(reach => isLocking(reach, door))
  const waiting = rules.flatMap(({ row }) => (row.first_person?.before === 'closed' ? row.first_person : []))
  return {
    is_concerned: here.length > 0 || rules.length > 0 || sources.overrides.has(gadget_id),
    groups: [
      ...locking.map(({ exempt }) => exempt),
      ...waiting.map(({ member_group_ids }) => new Set(member_group_ids)),
    ],
  }
}

function concernsDoor(reach: Emergency, door: DoorPlace): boolean {
  return reached(reach, [door]).length > 0
}

function common(first: ReadonlySet<string>, others: readonly ReadonlySet<string>[]): Set<string> {
  return new Set([...first].filter(id => others.every(groups => groups.has(id))))
}

/** Rules that one rule may become. Beyond it the rule is left out. */
const mostParts = 500

/** Returns what a rule of a group still grants at the gadgets that a controller can reach. */
export function unlockedParts<Rule extends PermissionRule>(
  locks: Locks,
  targets: ReadonlyMap<string, string>,
  groupId: string,
  rule: Rule,
): Rule[] {
  const isLocked = (id: string) => locks.get(id)?.groups.has(groupId) === false
  const covered = [...targets].filter(([id, site]) => covers(rule, id, site)).map(([id]) => id)
  if (!covered.some(isLocked)) return [rule]
  const parts = covered.flatMap(id =>
    isLocked(id) ? exitsOf(rule, id, locks) : [{ ...rule, site_id: null, gadget_id: id }],
  )
  return parts.length > mostParts ? [] : parts
}

function exitsOf<Rule extends PermissionRule>(rule: Rule, gadgetId: string, locks: Locks): Rule[] {
  const exits = locks.get(gadgetId)?.exits ?? []
  const granted = exits.filter(id => !rule.action_id || rule.action_id === id)
  return granted.map(action_id => ({ ...rule, site_id: null, gadget_id: gadgetId, action_id }))
}

function covers({ gadget_id, site_id }: PermissionRule, gadgetId: string, siteId: string): boolean {
  return gadget_id ? gadget_id === gadgetId : !site_id || site_id === siteId
}
