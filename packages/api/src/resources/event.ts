import { accessMethods, doorModes, type Mode, modeSources } from '@gatehouse-access/core'
import { list, nullable, type Parts, required, type Shape, shape } from '../kit/compounds.ts'
import { type Expand, one } from '../kit/expand.ts'
import { field, identity, lifecycle } from '../kit/field.ts'
import { type ExtraFilter, resource } from '../kit/resource.ts'
import { choice, flag, localId, reference, text, timestamp } from '../kit/scalars.ts'
import { type Kind, prefixes } from '../prefixes.ts'
import { explanation } from './access.ts'
import { changes, changesAbout } from './change.ts'
import { decidedBy } from './decided-by.ts'
import { unknownCardOfEvent } from './unknown-card.ts'

export const verbs = ['create', 'edit', 'delete', 'use', 'reveal'] as const

/** Kinds whose changes do not create events. */
type SilentKind = 'event' | 'webhook_delivery' | 'notification'
const silent: readonly Kind[] = ['event', 'webhook_delivery', 'notification'] satisfies SilentKind[]
type ObjectKind = Exclude<Kind, SilentKind>
const objectKinds = (Object.keys(prefixes) as Kind[]).filter(
  (kind): kind is ObjectKind => !silent.includes(kind),
)

/** Event object types that are not resources. */
const otherTypes = [
  'gadget_action',
  'gadget_state',
  'gadget_signal',
  'hardware',
  'access_denial',
  'gadget_mode',
] as const
export type ObjectType = ObjectKind | (typeof otherTypes)[number]

/** Documents list these types first, in a historical order. The remaining kinds follow. */
const firstTypes: readonly ObjectType[] = [
  'device',
  'gadget',
  'gadget_action',
  'gadget_state',
  'gadget_signal',
  'member',
  'member_email',
  'member_magic_link',
  'member_group',
  'member_group_association',
  'member_pin',
  'member_card',
  'member_token',
  'organization',
  'site',
  'webhook',
  'hardware',
  'card',
  'schedule',
  'tag',
  'gadget_trigger',
  'access_denial',
]
export const objectTypes: readonly ObjectType[] = [...new Set([...firstTypes, ...objectKinds, ...otherTypes])]

const subjectKinds = [
  'member',
  'member_email',
  'member_magic_link',
  'member_pin',
  'member_card',
  'member_token',
  'user',
  'oauth_application',
] as const satisfies readonly Kind[]

type IdParts<K extends Kind> = { [Name in `${K}_id`]: ReturnType<typeof nullable<string>> }

function idParts<K extends Kind>(kinds: readonly K[]): IdParts<K> {
  const parts = kinds.map(kind => [
    `${kind}_id`,
    nullable(reference(kind), `The ${kind.replaceAll('_', ' ')}.`),
  ])
  return Object.fromEntries(parts) as IdParts<K>
}

const clientKeys = [
  'device_type',
  'user_agent',
  'os',
  'os_version',
  'device_manufacturer',
  'device_model',
  'app_package_name',
  'app_name',
  'app_version',
  'app_version_code',
  'browser',
  'browser_version',
  'sdk_version',
  'sdk_commit',
] as const
export type ClientInfo = { [Key in (typeof clientKeys)[number]]: string | null }

const client = shape(
  Object.fromEntries(clientKeys.map(key => [key, nullable(text(1000), key.replaceAll('_', ' '))])) as {
    [Key in (typeof clientKeys)[number]]: ReturnType<typeof nullable<string>>
  },
)

const subjectParts = {
  ...idParts(subjectKinds),
  access_method: nullable(choice(...accessMethods), 'How a member acted.'),
  ip_address: nullable(text(64), 'IP address the request came from.'),
  client: nullable(client, 'The client the request came from.'),
}
export type EventSubject = Shape<typeof subjectParts>

/** The subject of an event that the service itself caused. Responses contain every key. */
export const nobody: EventSubject = Object.fromEntries(Object.keys(subjectParts).map(key => [key, null]))

const modes = Object.keys(doorModes) as Mode[]
const hardwareId = text(67)
const objectParts = {
  type: required(choice(...objectTypes), 'What was acted on.'),
  ...idParts(objectKinds),
  gadget_action_id: nullable(localId, 'The action.'),
  gadget_state_id: nullable(localId, 'The state.'),
  gadget_signal_id: nullable(localId, 'The signal.'),
  hardware_id: nullable(hardwareId, 'The hardware.'),
  reason: nullable(
    text(64),
    'Why access was denied. For an edit, what changed: `restored`, or for a device `online`, `offline` or `battery_low`. For a door and what sets its mode, `mode_set`, `mode_ended`, `first_person`, `last_person`, `fire`, `fire_cleared`, `fire_reset`, `renewed`, `narrowed` or `ended`. For an alarm, `acknowledged`, `snoozed`, `ended`, `closed`, `reopened`, `raised`, `settled` or `unexplained`. For a device or site, `maintenance`. For a job, its state. For an organization, `restored_from_backup`, `restore_confirmed`, `imported` from another installation, or `retention`: the receipt of a day on which old events lost persons or were deleted.',
  ),
  mode: nullable(choice(...modes), 'Of a door: its mode.'),
  source: nullable(choice(...modeSources), 'What set the mode.'),
  emergency_ids: nullable(
    list(reference('emergency'), { max: 64 }),
    'The emergencies that set the mode, if there are any.',
  ),
  is_drill: nullable(flag, 'True if the emergency is a drill.'),
  override_emergency: nullable(
    flag,
    'True for an action that an application ran although the door was locked down.',
  ),
  restored_to: nullable(timestamp, 'Of a restore from a backup: the time that everything was set back to.'),
  restored_by: nullable(
    text(255),
    'Of a restore from a backup: who restored or confirmed it, as told by the operator.',
  ),
  name: nullable(
    text(255),
    'The name of an application, the host of a webhook, or the address of an invitation.',
  ),
  receipt_hash: nullable(
    text(64),
    'Of an erasure, or of an organization whose old events lost their persons: what the audit chain keeps of the events that it changed.',
  ),
  changes: nullable(changes, changesAbout),
  changes_cut: nullable(flag, 'True if more places changed than are listed. Every field that changed is.'),
  decided_by: nullable(
    decidedBy,
    'Of a use or a denial: what decided, as it was then. It stays when rules, schedules or the site change.',
  ),
}
export type EventObject = Shape<typeof objectParts>

/** The id fields that an event's object can have. */
export const objectIdFields: readonly string[] = Object.keys(objectParts).filter(key => key.endsWith('_id'))

function localTime({ object, created_at }: Record<string, unknown>): string | null {
  const offset = (object as EventObject | undefined)?.decided_by?.utc_offset
  if (offset === undefined) return null
  return new Date(Date.parse(String(created_at)) + offset * 1000).toISOString().slice(0, 19)
}

function idFilters(side: 'subject' | 'object', parts: Parts): { [name: string]: ExtraFilter } {
  const ids = Object.entries(parts).filter(([name]) => name.endsWith('_id'))
  return Object.fromEntries(
    ids.map(([name, { type }]) => [
      `${side}.${name}`,
      { type, about: `Events whose ${side} has this ${name}.`, operator: 'equal', path: `${side}.${name}` },
    ]),
  )
}

function idExpands(side: 'subject' | 'object', kinds: readonly Kind[]): { [name: string]: Expand } {
  return Object.fromEntries(kinds.map(kind => [`${side}_${kind}`, one(kind, `${side}.${kind}_id`)]))
}

const mayEndEarly =
  'A page may have fewer events than `limit`, or none, although `has_next` is true. Webhooks and streams do not take it.'

const streamTicket = shape({
  ticket: required(text(255), 'Send it as `?ticket=`, once.'),
  expires_at: required(timestamp, 'When it expires.'),
})

const expandable = objectKinds.filter(kind => !['user', 'invitation', 'oauth_application'].includes(kind))

export const event = resource({
  kind: 'event',
  plural: 'events',
  path: '/events',
  about: 'Something that happened: who (subject) did what (verb) to what (object).',
  verbs: ['list', 'get'],
  logged: false,
  actions: {
    issue_stream_ticket: {
      method: 'POST',
      path: '/stream_tickets',
      on: 'collection',
      about: 'Issues a ticket with which a browser can open one event stream within 30 seconds.',
      scope: 'read',
      bulk: 'never',
      answer: streamTicket,
    },
    unknown_card: unknownCardOfEvent,
  },
  expands: { ...idExpands('object', expandable), ...idExpands('subject', subjectKinds) },
  absent_expands: ['object_api_key', 'object_link', 'subject_api_key', 'subject_user_session'],
  filters: {
    ...idFilters('subject', subjectParts),
    ...idFilters('object', objectParts),
    member_group_id: {
      type: reference('member_group'),
      about: `What those did who are members of this group now, also if their time in it is over or has not started. ${mayEndEarly}`,
      operator: 'equal',
      path: 'subject.member_id',
      through: { kind: 'member_group_association', column: 'member_group_id' },
    },
    tag_id: {
      type: reference('tag'),
      about: `What happened at the gadgets that have this tag now. ${mayEndEarly}`,
      operator: 'equal',
      path: 'object.gadget_id',
      through: { kind: 'gadget', column: 'tag_ids' },
    },
    'object.job_id': {
      type: reference('job'),
      about: 'Events of this job. `null`: those outside of any job.',
      operator: 'equal',
      path: 'object.job_id',
      or_none: true,
    },
    'subject.access_method': {
      type: choice(...accessMethods),
      about: 'How a member acted.',
      operator: 'equal',
      path: 'subject.access_method',
    },
    'object.type': {
      type: choice(...objectTypes),
      about: 'What was acted on.',
      operator: 'equal',
      path: 'object.type',
    },
    'object.changed_field': {
      type: text(64, { pattern: /^[a-z][a-z0-9_]*$/, expected: 'the name of a field, like permissions' }),
      about: 'Edits that changed this field, as a whole or in a part.',
      operator: 'equal',
      path: 'object.changes',
      each: 'field',
    },
  },
  fields: {
    ...identity('event'),
    subject: field(shape(subjectParts), {
      personal: 'movement',
      about: 'Who acted. If every ID is null, the service itself.',
      example: { member_id: 'mem_06gxjs3e7dds3ssctgw6', access_method: 'online', ip_address: '203.0.113.7' },
      render: (subject: EventSubject) => ({ ...nobody, ...subject }),
    }),
    verb: field(choice(...verbs), { about: 'What was done.', example: 'use' }),
    object: field(shape(objectParts), {
      personal: 'movement',
      about: 'What was acted on.',
      example: { type: 'gadget_action', gadget_id: 'gad_06gxjs3e7dds3ssctgw6', gadget_action_id: 'open' },
    }),
    created_at: lifecycle().created_at,
    occurred_at: field(timestamp, {
      about:
        'When it happened. For events buffered by a device, the time at the device. Equal to created_at.',
      filter: 'compare',
      alias: 'created_at',
    }),
    local_time: field(text(32), {
      personal: 'movement',
      about: 'Of a use or a denial: the local time at the site, such as `2026-11-15T21:28:05`.',
      nullable: true,
      derive: localTime,
      from: ['object', 'created_at'],
    }),
    recorded_at: field(timestamp, { about: 'When the service stored it.', sort: true, filter: 'compare' }),
    explanation: field(explanation, {
      personal: 'movement',
      about: 'Why access was denied, rule by rule. Null for all other events.',
      nullable: true,
    }),
    clock_adjusted: field(flag, {
      about: "True if a device's time was implausible and was adjusted.",
      initial: false,
    }),
    is_unlinked: field(flag, {
      about: 'True if a member was taken out of it, by an erasure or because its time was over.',
      initial: false,
    }),
  },
})
