import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { formatTime } from './describe-alarm.ts'

export type Event = ObjectOf<Resources['event']>

interface Named {
  readonly name?: string | null
  readonly email?: string | null
  readonly printed_code?: string | null
  readonly uid?: string | null
}

/** What has a name, where things happen first. */
const kinds = [
  'gadget',
  'member',
  'device',
  'site',
  'member_group',
  'schedule',
  'calendar',
  'calendar_day',
  'unlock_rule',
  'emergency_plan',
  'emergency',
  'alarm_rule',
  'notification_target',
  'card',
  'tag',
  'member_email',
  'member_card',
] as const
type NamedKind = (typeof kinds)[number]

/** What is named together with something else. */
const pairs: Readonly<Record<string, readonly NamedKind[]>> = {
  member_email: ['member', 'member_email'],
  member_card: ['member', 'member_card'],
  member_group_association: ['member', 'member_group'],
  calendar_day: ['calendar', 'calendar_day'],
}

const subjects = ['subject_member', 'subject_user', 'subject_oauth_application'] as const

type Place = (typeof subjects)[number] | `object_${NamedKind}`

export type Told = { readonly [In in Place]?: Named | null }

/** What the tables name. */
export const eventExpands: readonly Place[] = [...subjects, ...kinds.map(kind => `object_${kind}` as const)]

export const eventHeadings = ['TIME', 'WHO', 'DID', 'WHAT', 'WHY', 'ID'] as const

/** Says an event in the columns of a table. */
export function formatEvent(event: Event & Told): string[] {
  const { created_at, id, object } = event
  return [formatTime(created_at), whoOf(event), doneOf(event), whatOf(event), object.reason ?? '', id]
}

function whoOf(event: Event & Told): string {
  const { subject } = event
  const name = subjects.map(place => nameOf(event[place])).find(Boolean)
  return name ?? subject.member_id ?? subject.user_id ?? (subject.oauth_application_id ? 'application' : '')
}

function doneOf({ verb, object }: Event): string {
  if (object.type === 'gadget_action') return object.gadget_action_id ?? 'use'
  return object.type === 'access_denial' ? 'was denied' : `${verb} ${object.type.replaceAll('_', ' ')}`
}

/** The name of the object, else its ID. */
function whatOf(event: Event & Told): string {
  const { object } = event
  const kind = kinds.find(kind => kind === object.type) ?? kinds.find(kind => object[`${kind}_id`])
  const named = pairs[object.type] ?? (kind ? [kind] : [])
  const names = named.flatMap(kind => nameOf(event[`object_${kind}`]) ?? [])
  const [, id] = Object.entries(object).find(([field]) => field === `${object.type}_id`) ?? []
  return names.join(', ') || object.name || String(id ?? '')
}

function nameOf(told: Named | null | undefined): string | undefined {
  return told?.name || told?.printed_code || told?.uid || told?.email || undefined
}
