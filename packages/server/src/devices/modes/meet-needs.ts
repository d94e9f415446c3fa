import type { PermissionRule } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { DoorIndex } from './doors-of.ts'
import { unlockedParts } from './locks.ts'
import type { ModeNeeds } from './mode-view.ts'

type NumberedRule = PermissionRule & { rule_index: number }

interface KnownPlaces extends Pick<DoorIndex, 'gadgets'> {
  readonly groups: { has(id: string): boolean }
}

/** Rules of one group. */
const mostRules = 5000

/**
 * Adds the groups that doors ask for in a lockdown or before the first person has come, although they grant
 * nothing. For a controller that does not understand modes, takes away what the modes of its doors deny.
 */
export function* meetNeeds(
  places: KnownPlaces,
  groups: Map<string, NumberedRule[]>,
  { groups: needed, locks }: ModeNeeds,
  { targets, only }: { targets: ReadonlySet<string>; only: ReadonlySet<string> | undefined },
): Steps<void> {
  for (const id of needed)
    if (!groups.has(id) && places.groups.has(id) && (only?.has(id) ?? true)) groups.set(id, [])
  if (locks.size === 0) return
  const sites = new Map([...targets].map(id => [id, places.gadgets.get(id)?.site_id ?? '']))
  for (const [id, rules] of groups) {
    const kept: NumberedRule[] = []
    for (const rule of rules) {
      const parts = unlockedParts(locks, sites, id, rule)
      if (kept.length + parts.length <= mostRules) kept.push(...parts)
      yield
    }
    if (kept.length > 0) groups.set(id, kept)
    else groups.delete(id)
  }
}
