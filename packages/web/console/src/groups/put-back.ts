import type { PermissionRule } from '@gatehouse-access/api'
import { t } from '../language/t.ts'

type Rules = readonly PermissionRule[]

/** Returns the rules as they are now without one. Rules have no ids: two that say the same are the same. */
export function withoutRule(now: Rules, rule: PermissionRule): PermissionRule[] {
  const place = placesIn(now)(rule)
  if (place < 0) throw new Error(t('The rule has been changed or deleted meanwhile.'))
  return now.toSpliced(place, 1)
}

/** Returns the rules as they are now with one that was deleted, next to those that it stood between. */
export function withRule(now: Rules, before: Rules, index: number): PermissionRule[] {
  const rule = before[index]
  if (!rule) return [...now]
  const placeOf = placesIn(now)
  const isThere = (place: number) => place >= 0
  const next = before
    .slice(index + 1)
    .map(placeOf)
    .find(isThere)
  const previous = before.slice(0, index).map(placeOf).findLast(isThere)
  return now.toSpliced(next ?? (previous ?? now.length - 1) + 1, 0, rule)
}

function placesIn(rules: Rules): (rule: PermissionRule) => number {
  const keys = rules.map(rule => JSON.stringify(rule))
  return rule => keys.indexOf(JSON.stringify(rule))
}
