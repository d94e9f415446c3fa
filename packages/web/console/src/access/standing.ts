import type { AccessMethod, SiteZone } from '@gatehouse-access/api'
import type { Actor } from '../events/read-actor.ts'
import { type ExpandedRule, type Group, scheduleWords, specialWords } from '../groups/rule.ts'
import { t } from '../language/t.ts'
import { datesOf } from '../members/validity.ts'

/** A rule by which somebody has access, as the lists of access answer it. */
export interface StandingRule {
  readonly member_group_id: string
  readonly rule_index: number
  readonly starts_at?: string | null
  readonly ends_at?: string | null
  /** When the member was put into the group, and by whom. */
  readonly granted_at?: string | null
  readonly granted_by?: Actor | null
}

export interface StandingAccess {
  readonly access_methods: readonly AccessMethod[]
  readonly requires_location: boolean
  readonly rules: readonly StandingRule[] | null
}

/** Returns `Mon to Fri 08:00 to 18:00, until 3 Jan 2027, 12:00`, or `at all times`. */
export function whenText(standing: StandingRule, group: Group | undefined, zone?: SiteZone): string {
  const { starts_at = null, ends_at = null, rule_index } = standing
  return [timesText(group?.permissions[rule_index]), datesOf({ starts_at, ends_at }, zone)]
    .filter(Boolean)
    .join(', ')
}

function timesText(rule: ExpandedRule | undefined): string {
  if (!rule) return '…'
  const { member_group, member_group_id, schedule, schedule_id } = rule
  const whenever = member_group_id ? t(`whenever ${member_group?.name ?? t('the other group')} can`) : ''
  if (!schedule_id) return whenever || t('at all times')
  const words = schedule && [scheduleWords(schedule.weekdays), specialWords(schedule.special_days)]
  return [...(words ?? [t('on a schedule')]), whenever].filter(Boolean).join(', ')
}

/** Joins entries of one door, which has an entry for each of its actions. The list is ordered by door. */
export function joinActions<T extends StandingAccess & { readonly gadget_id: string }>(
  entries: readonly T[],
): readonly T[] {
  const doors = new Map<string, T>()
  for (const entry of entries) {
    const known = doors.get(entry.gadget_id)
    doors.set(entry.gadget_id, known ? { ...known, ...joined(known, entry) } : entry)
  }
  return [...doors.values()]
}

function joined(one: StandingAccess, other: StandingAccess): StandingAccess {
  const rules = new Map(
    [...(one.rules ?? []), ...(other.rules ?? [])].map(rule => [JSON.stringify(rule), rule]),
  )
  return {
    access_methods: [...new Set([...one.access_methods, ...other.access_methods])],
    requires_location: one.requires_location || other.requires_location,
    rules: [...rules.values()],
  }
}
