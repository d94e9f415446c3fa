import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { alarmTitles } from './alarm-words.ts'

type Named = { readonly id: string; readonly name: string | null }

export type Alarm = ItemOf<'alarms'> & {
  readonly site?: (Named & { readonly timezone: string }) | null
  readonly device?: Named | null
  readonly gadget?: Named | null
  readonly member?: Named | null
  readonly emergency?: Named | null
  readonly calendar?: Named | null
  readonly webhook?: { readonly id: string; readonly url: string } | null
  readonly acknowledged_by_user?: (Named & { readonly email: string }) | null
  readonly cause_alarm?: Alarm | null
}
export type Severity = Alarm['severity']

const subjects = ['site', 'device', 'gadget', 'member', 'emergency', 'calendar', 'webhook']

export const alarmExpands = [
  ...subjects,
  'acknowledged_by_user',
  ...subjects.map(name => `cause_alarm.${name}`),
]

/** Gravest first. */
export const severities = ['critical', 'warning', 'info'] as const satisfies readonly Severity[]

export const severityNames: Record<Severity, string> = {
  critical: t('Critical'),
  warning: t('Warning'),
  info: t('Information'),
}

export const severityColors: Record<Severity, string> = { critical: 'red', warning: 'orange', info: 'blue' }

export interface Place {
  readonly name: string
  /** Where the console shows it, if it does. */
  readonly path?: string
}

const paths = [
  ['gadget', '/gadgets'],
  ['member', '/members'],
  ['emergency', '/emergencies'],
  ['calendar', '/calendars'],
  ['device', '/devices'],
] as const

/** Returns what the alarm is about: the narrowest thing that it names. */
export function subjectOf(alarm: Alarm): Place {
  for (const [kind, path] of paths) {
    const held = alarm[kind]
    if (held) return { name: held.name || t('Unnamed'), path: `${path}/${held.id}` }
  }
  if (alarm.webhook) return { name: new URL(alarm.webhook.url).host }
  if (alarm.site) return { name: alarm.site.name || t('Unnamed'), path: `/sites/${alarm.site.id}` }
  return { name: t('The organization') }
}

/** Returns where that is, unless the subject is the site itself. */
export function siteName({ site, site_id, gadget_id, device_id, member_id, emergency_id }: Alarm): string {
  const is_site = site_id && !gadget_id && !device_id && !member_id && !emergency_id
  return is_site ? '' : (site?.name ?? '')
}

/** Returns `Door forced open, Front door`. */
export function alarmName(alarm: Alarm): string {
  return `${alarmTitles[alarm.type]}, ${subjectOf(alarm).name}`
}
