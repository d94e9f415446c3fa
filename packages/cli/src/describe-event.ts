import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { formatTime } from './describe-alarm.ts'

export type Event = ObjectOf<Resources['event']>

interface Named {
  readonly name?: string | null
}

/** What the tables name. */
export const eventExpands = [
  'subject_member',
  'subject_user',
  'object_gadget',
  'object_member',
  'object_device',
] as const

export type Told = { readonly [Place in (typeof eventExpands)[number]]?: Named | null }

export const eventHeadings = ['TIME', 'WHO', 'DID', 'WHAT', 'WHY', 'ID'] as const

/** Says an event in the columns of a table. */
export function formatEvent(event: Event & Told): string[] {
  const { created_at, id, object } = event
  return [formatTime(created_at), whoOf(event), doneOf(event), whatOf(event), object.reason ?? '', id]
}

function whoOf({ subject, subject_member, subject_user }: Event & Told): string {
  const name = subject_member?.name ?? subject_user?.name
  return name ?? subject.member_id ?? subject.user_id ?? (subject.oauth_application_id ? 'application' : '')
}

function doneOf({ verb, object }: Event): string {
  if (object.type === 'gadget_action') return object.gadget_action_id ?? 'use'
  return object.type === 'access_denial' ? 'was denied' : `${verb} ${object.type.replaceAll('_', ' ')}`
}

function whatOf({ object_gadget, object_member, object_device, object }: Event & Told): string {
  return object_gadget?.name ?? object_member?.name ?? object_device?.name ?? object.name ?? ''
}
