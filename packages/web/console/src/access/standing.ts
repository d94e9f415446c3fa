import type { AccessMethod } from '@gatehouse-access/api'
import { type ExpandedRule, type Group, scheduleWords, specialWords } from '../groups/rule.ts'
import { datesOf } from '../members/validity.ts'

/** A rule by which somebody has access, as the lists of access answer it. */
export interface StandingRule {
  readonly member_group_id: string
  readonly rule_index: number
  readonly starts_at?: string | null
  readonly ends_at?: string | null
}

export interface StandingAccess {
  readonly access_methods: readonly AccessMethod[]
  readonly requires_location: boolean
  readonly rules: readonly StandingRule[] | null
}

/** Returns `Mon to Fri 08:00 to 18:00, until 3 Jan 2027, 12:00`, or `At all times`. */
export function whenText(standing: StandingRule, group: Group | undefined): string {
  const rule = group?.permissions[standing.rule_index]
  return [
    rule?.schedule_id ? timesText(rule) : 'At all times',
    datesOf({ starts_at: standing.starts_at ?? null, ends_at: standing.ends_at ?? null }),
  ]
    .filter(Boolean)
    .join(', ')
}

function timesText({ schedule, member_group_id }: ExpandedRule): string {
  if (!schedule) return 'On a schedule'
  const words = [scheduleWords(schedule.weekdays), specialWords(schedule.special_days)]
  const times = words.filter(Boolean).join(', ')
  return member_group_id ? `${times}, if the other group allows it` : times
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
