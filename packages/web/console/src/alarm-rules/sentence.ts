import { alarmTypes } from '@gatehouse-access/core'
import type { AlarmType } from '../alarms/alarm-words.ts'
import { scheduleWords } from '../groups/rule.ts'
import { t } from '../language/t.ts'
import { everyWords, lengthWords } from '../parts/units.ts'
import { joinNights } from '../schedules/join-nights.ts'
import type { RuleValues } from './rule-values.ts'

/** A part of a sentence: plain words, or a name that somebody typed. */
export type Part = string | { readonly name: string }

/** What a sentence about a rule needs to know beside the rule. */
export interface Names {
  recipient(key: string): string
  readonly sites: readonly string[]
  readonly gadgets: readonly string[]
  readonly devices: readonly string[]
  readonly tags: readonly string[]
  readonly schedule?: Parameters<typeof scheduleWords>[0] | undefined
}

const access = t('access')

/** What the alarm is about, and what it does. */
const clauses: Record<AlarmType, readonly [about: string, does: string]> = {
  door_forced: [t('a door'), t('is forced open')],
  door_held: [t('a door'), t('is held open')],
  door_not_opened: [t('a door'), t('is released and not opened')],
  door_tampered: [t('a door'), t('is tampered with')],
  device_offline: [t('a device'), t('is offline')],
  device_power_lost: [t('a device'), t('loses mains power')],
  device_battery_low: [t('a device'), t('has a low battery')],
  device_clock_unsure: [t('a device'), t('does not know the time')],
  device_events_lost: [t('a device'), t('loses events')],
  device_outdated: [t('a device'), t('needs newer software')],
  access_denied_often: [access, t('is denied often')],
  keypad_paused: [t('a keypad'), t('pauses after wrong codes')],
  sync_at_risk: [t('somebody’s access'), t('may not reach a door in time')],
  emergency_started: [t('an emergency'), t('is started')],
  emergency_not_arrived: [t('an emergency'), t('does not reach every door')],
  webhook_disabled: [t('a webhook'), t('is turned off')],
  calendar_not_refreshed: [t('a calendar'), t('cannot be refreshed')],
}

/**
 * Says what a rule does: `Tell Ana and doors when a door at Madrid is held open for a minute, Mon to Fri 08:00
 * to 18:00, again every 10 minutes.`
 */
export function ruleSentence(rule: RuleValues, names: Names): readonly Part[] {
  const who = nameList(rule.notify.map(names.recipient))
  return [
    t('Tell '),
    ...(who.length > 0 ? who : [t('somebody')]),
    t(' when'),
    ...whatOf(rule, names),
    ...(rule.delay_seconds ? [t(` for ${lengthWords(rule.delay_seconds)}`)] : []),
    ...(rule.schedule_id && names.schedule ? [`, ${scheduleWords(joinNights(names.schedule))}`] : []),
    ...(rule.repeat_seconds ? [t(`, again ${everyWords(rule.repeat_seconds)}`)] : []),
    ...rule.escalate.flatMap(({ after_seconds, notify }) => [
      t(`; after ${lengthWords(after_seconds)} also `),
      ...nameList(notify.map(names.recipient)),
    ]),
    '.',
  ]
}

function whatOf({ types }: RuleValues, names: Names): readonly Part[] {
  const grouped = Map.groupBy(types, type => clauses[type][0])
  const places = placesOf(names)
  if (grouped.size === 0) return [t(' something happens'), ...places]
  const [only] = grouped.size === 1 ? [...grouped] : []
  // A place stands behind what it belongs to, or, if there are several, before all of them.
  if (only) return [' ', ...aboutOf(only[0], only[1], names), ` ${doesWords(only[1])}`]
  const all = [...grouped].map(([about, held]) => `${about} ${doesWords(held)}`)
  const listed = t(`${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`)
  return places.length > 0 ? [',', ...places, ', ', listed] : [' ', listed]
}

/** Returns `a door at Madrid`, or the doors themselves: `Front door`. */
function aboutOf(about: string, types: readonly AlarmType[], names: Names): readonly Part[] {
  const { sites, gadgets, devices, tags } = names
  const isOf = (kind: string) => types.every(type => alarmTypes[type].of === kind)
  if (isOf('gadget') && gadgets.length > 0 && sites.length + devices.length + tags.length === 0)
    return about === access
      ? [t('access at '), ...nameList(gadgets, t(' or '))]
      : nameList(gadgets, t(' or '))
  if (isOf('device') && devices.length > 0 && sites.length + gadgets.length + tags.length === 0)
    return nameList(devices, t(' or '))
  return [about, ...placesOf(names)]
}

function placesOf({ sites, gadgets, devices, tags }: Names): readonly Part[] {
  const places = [...sites, ...gadgets, ...devices]
  // Two texts, since other languages have a word of its own for being at a site.
  const at = places.length === sites.length ? t(' at ') : ` ${t('at ')}`
  return [
    ...(places.length > 0 ? [at, ...nameList(places, t(' or '))] : []),
    ...(tags.length > 0
      ? [places.length > 0 ? t(' or tagged ') : t(' tagged '), ...nameList(tags, t(' or '))]
      : []),
  ]
}

/** Returns `is forced open, held open or tampered with`: a verb that repeats is said once. */
function doesWords(types: readonly AlarmType[]): string {
  const verbs = types.map(type => clauses[type][1])
  const is_same = verbs.length > 1 && verbs.every(verb => verb.startsWith('is '))
  return is_same ? t(`is ${anyOf(verbs.map(verb => verb.slice(3)))}`) : anyOf(verbs)
}

function nameList(names: readonly string[], last = t(' and ')): readonly Part[] {
  return names.flatMap((name, index): Part[] => {
    if (index === 0) return [{ name }]
    return [index === names.length - 1 ? last : ', ', { name }]
  })
}

function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}${t(' or ')}${words.at(-1)}`
}
