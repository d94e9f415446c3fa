import type { ObjectOf, PermissionRule, Resources } from '@gatehouse-access/api'
import { accessMethods } from '@gatehouse-access/core'
import { kindPlural } from '../calendars/kind-words.ts'
import type { ItemOf } from '../data/collections.ts'
import { methodWords } from '../events/method-words.ts'
import { t } from '../language/t.ts'
import { shortDayNames } from '../schedules/day-names.ts'

type Named = { readonly id: string; readonly name: string }
type Gadget = Named & { readonly site_id: string; readonly actions: readonly Named[] }
type Schedule = ItemOf<'schedules'>
type Ranges = readonly { readonly start: number; readonly end: number }[]

/** A rule with the objects that its ids refer to. Deleted objects are included. */
export type ExpandedRule = PermissionRule & {
  readonly site?: Named
  readonly gadget?: Gadget
  readonly tag?: Named
  readonly schedule?: Schedule
  readonly member_group?: Named
}

export type Group = Omit<ObjectOf<Resources['member_group']>, 'permissions'> & {
  readonly permissions: readonly ExpandedRule[]
}

export const ruleExpands = [
  'permissions.site',
  'permissions.gadget',
  'permissions.tag',
  'permissions.schedule',
  'permissions.member_group',
]

/** Returns the rule without its expanded objects, as the API accepts it. */
export function bareRule(rule: ExpandedRule): PermissionRule {
  const { site: _s, gadget: _g, tag: _t, schedule: _c, member_group: _m, ...bare } = rule
  return bare
}

/** Returns what tells a rule from the others of its group: `Rule for Front door`. */
export function titleOf({ gadget, site, tag, member_group }: ExpandedRule): string {
  const named = gadget ?? site ?? tag ?? member_group
  return named ? t(`Rule for ${named.name}`) : t('Rule')
}

/** Returns the sites that rules name, or whose doors they do. Those of a tag, or of every site, are not told. */
export function sitesOf(rules: readonly ExpandedRule[]): string[] {
  return rules.flatMap(({ site_id, gadget }) => site_id ?? gadget?.site_id ?? [])
}

/** Returns `card or PIN`, or undefined if every method is allowed. */
export function allowedMethods({ access_methods }: PermissionRule): string | undefined {
  if (!access_methods) return undefined
  const allowed = accessMethods.filter(method => access_methods[method]).map(method => methodWords[method])
  if (allowed.length === accessMethods.length) return undefined
  return allowed.length === 0 ? t('no method') : joinWords(allowed, t(' or '))
}

function joinWords(words: readonly string[], last: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}${last}${words.at(-1)}`
}

/** Returns `not on holidays, on half days 08:00 to 12:00`, or an empty text. */
export function specialWords(days: Schedule['special_days']): string {
  return days.map(({ kind, ranges }) => specialText(kindPlural(kind), ranges)).join(', ')
}

function specialText(plural: string, ranges: Ranges): string {
  return ranges.length === 0 ? t(`not on ${plural}`) : t(`on ${plural} ${rangeWords(ranges)}`)
}

/**
 * Returns `Mon to Fri 08:00 to 18:00, Sat 10:00 to 14:00`. Consecutive days with the same hours are merged.
 */
export function scheduleWords(weekdays: readonly { readonly ranges: Ranges }[]): string {
  const hours = weekdays.map(({ ranges }) => rangeWords(ranges))
  const runs: { from: number; to: number; hours: string }[] = []
  for (const [day, text] of hours.entries()) {
    const last = runs.at(-1)
    if (last && last.to === day - 1 && last.hours === text) last.to = day
    else if (text) runs.push({ from: day, to: day, hours: text })
  }
  if (runs.length === 0) return t('never')
  return runs.map(({ from, to, hours }) => `${dayWords(from, to)} ${hours}`).join(', ')
}

function rangeWords(ranges: Ranges): string {
  return [...ranges]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => t(`${clock(start)} to ${clock(end)}`))
    .join(t(' and '))
}

function dayWords(from: number, to: number): string {
  if (from === 0 && to === 6) return t('every day')
  return from === to ? (shortDayNames[from] ?? '') : t(`${shortDayNames[from]} to ${shortDayNames[to]}`)
}

function clock(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const exact = seconds % 60 === 0 ? '' : `:${part(seconds % 60)}`
  return `${part(seconds / 3600)}:${part((seconds % 3600) / 60)}${exact}`
}
