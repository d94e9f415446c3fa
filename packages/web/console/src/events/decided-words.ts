import type { EventObject, SiteZone } from '@gatehouse-access/api'
import { type RuleTerms, termsOfRow } from '@gatehouse-access/core'
import type { Group } from '../groups/rule.ts'
import { locale } from '../language/languages.ts'
import { spoken, t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'
import { formatWeekday } from '../parts/format-time.ts'
import { localTime } from '../parts/local-clock.ts'
import { hoursWords } from './hours-words.ts'
import { methodWords } from './method-words.ts'
import { isOfTime } from './reason-words.ts'

type DecidedBy = NonNullable<EventObject['decided_by']>
export type DecidedRule = NonNullable<DecidedBy['rules']>[number]

/**
 * Says when and by what an attempt was decided, as it was then: `It was Sunday 21:28 in Madrid, the rule allowed Mon to
 * Fri 08:00 to 18:00; next allowed Monday 08:00.`
 */
export function decidedWords(event: LiveEvent, zone: SiteZone | undefined): string | undefined {
  const { decided_by } = event.object
  if (!decided_by || !event.local_time) return undefined
  const when = t(`It was ${shortDay(`${event.local_time}Z`)} in ${cityOf(decided_by.timezone)}`)
  const parts = [when, ...ruleParts(decided_by)].join(', ')
  if (event.object.type !== 'access_denial' || !event.explanation) return `${parts}.`
  const next = event.explanation.next_allowed_at
  if (next) return `${parts}; ${t(`next allowed ${nextDay(next, event.local_time, decided_by, zone)}`)}.`
  return `${parts}${isOfTime(event.object.reason) ? t('; not allowed within the following year') : ''}.`
}

function ruleParts({ mode, rules }: DecidedBy): string[] {
  if (mode) return [modes[mode] ?? t(`the door was ${mode}`)]
  if (!rules) return []
  if (rules.length === 0) return [t('no rule gave access')]
  const terms = [...new Set(rules.map(termsWords))]
  return [
    terms.length === 1 ? t(`the rule allowed ${terms[0]}`) : t(`the rules allowed ${terms.join('; or ')}`),
  ]
}

const modes: Record<string, string> = spoken({
  unlocked: 'the door was unlocked',
  lockdown: 'the door was locked down',
  evacuation: 'the door was held open',
})

/** Returns `Mon to Fri 08:00 to 18:00, by card or PIN`. */
export function termsWords(rule: DecidedRule): string {
  const { access_methods, day, presence, schedule_id, times } = rule
  const hours = times
    ? hoursWords(times)
    : schedule_id
      ? t('the times of a deleted schedule')
      : t('all times')
  const methods = access_methods?.map(method => methodWords[method]) ?? []
  return [
    day ? t(`${hours} (but ${hoursWords(day.times)} on that day, ${dayWords(day)})`) : hours,
    ...(methods.length > 0 ? [t(`by ${methods.join(t(' or '))}`)] : []),
    ...(presence === 'gps' ? [t('when the phone is near the site')] : []),
  ].join(', ')
}

function dayWords({ kind, source }: NonNullable<DecidedRule['day']>): string {
  if (source === 'exception') return t('an exception')
  return kind ? t(`a special day: ${kind.replaceAll('_', ' ')}`) : t('a special day')
}

/** Whether the rule is another one today. Undefined until the group is loaded. */
export function hasChanged(then: DecidedRule, group: Group | undefined): boolean | undefined {
  if (!group) return undefined
  const rule = group.permissions[then.rule_index]
  if (group.is_deleted || !rule) return true
  const schedule = rule.schedule?.is_deleted ? undefined : rule.schedule
  return textOf(termsOfRow(rule, schedule)) !== textOf(then)
}

const compared = [
  'site_id',
  'gadget_id',
  'tag_id',
  'action_id',
  'presence',
  'access_methods',
  'inherited_group_id',
  'schedule_id',
  'times',
] as const satisfies readonly (keyof RuleTerms)[]

function textOf(terms: { readonly [Name in keyof RuleTerms]?: unknown }): string {
  return JSON.stringify(compared.map(name => terms[name] ?? null))
}

/** Within the following days the weekday says it; later, the date does. */
function nextDay(next: string, local: string, { utc_offset }: DecidedBy, zone: SiteZone | undefined): string {
  const at = Date.parse(next)
  const there = (zone ? localTime(zone, at) : new Date(at + utc_offset * 1000)).toISOString()
  return Date.parse(there) - Date.parse(`${local}Z`) < 6 * 86_400_000
    ? shortDay(there)
    : formatWeekday(there, 'UTC')
}

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })

function shortDay(at: string): string {
  return `${weekday.format(new Date(at))} ${at.slice(11, 16)}`
}

function cityOf(timezone: string): string {
  return (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' ')
}
