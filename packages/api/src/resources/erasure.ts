import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'

export const erasureStates = ['scheduled', 'running', 'waiting', 'done', 'canceled', 'blocked'] as const
export const erasureReasons = ['request', 'retention', 'admin'] as const
export const erasedEvents = ['unlink', 'delete'] as const

/** What an erasure does after its first step, in order. */
export const erasureStages = [
  'rows',
  'answers',
  'events',
  'deliveries',
  'statistics',
  'receipt',
  'devices',
] as const

const most = integer(0, 1_000_000_000)
const countParts = {
  objects: required(
    most,
    'Objects and other rows of the member: credentials, associations, sessions, mails.',
  ),
  events: required(most, 'Events that lost the member.'),
  files: required(most, 'Files of jobs that held the member.'),
  deliveries: required(most, 'Deliveries of webhooks that lost their content.'),
  devices: required(most, 'Devices that may hold the member.'),
  devices_done: required(most, 'Those of them that have confirmed that they forgot the member.'),
}
export type ErasureCounts = Shape<typeof countParts>
export const noneErased: ErasureCounts = {
  objects: 0,
  events: 0,
  files: 0,
  deliveries: 0,
  devices: 0,
  devices_done: 0,
}

const options = {
  scheduled_at: optional(timestamp, 'When it begins, at most 30 days ahead. Defaults to now.'),
  events: optional(
    choice(...erasedEvents),
    '`unlink` (the default): what happened stays, who it was does not. `delete`: what the member did at doors, and was denied, is deleted whole.',
  ),
  includes_cards: optional(
    flag,
    "Cards stay the organization's. If true, their names and metadata are erased, too. Defaults to false.",
  ),
  reason: optional(choice('request', 'admin'), 'Why. Defaults to `request`: the person asked for it.'),
  reference: optional(text(64), 'A case number of yours. It stays, so it must not name the person.'),
}

const dryRun = {
  dry_run: {
    type: flag,
    about:
      'If true, changes nothing and counts what would be erased. The answer has an ID that leads nowhere.',
  },
}

/** An erasure, as the action of a member answers it. */
export const erasureAnswer = {
  id: required(reference('erasure'), 'The erasure.'),
  member_id: required(reference('member'), 'The member.'),
  state: required(choice(...erasureStates), 'See erasures.'),
  scheduled_at: required(timestamp, 'When it begins.'),
  counts: required(shape(countParts), 'What was erased so far, or would be.'),
}

/** `POST /members/{id}/erase` is the same as `POST /erasures`. */
export const eraseAction = {
  method: 'POST',
  path: '/erase',
  about:
    'Erases the member for good: fields, credentials, associations, sessions, mails and the link to events. It cannot be undone. The same as `POST /erasures`.',
  scope: 'write',
  dry_run_scope: 'read',
  bulk: 'never',
  query: dryRun,
  body: options,
} as const

const waitingDeviceParts = {
  device_id: required(reference('device'), 'The device.'),
  device_name: required(text(255), 'Its name.'),
  online: required(flag, 'Whether it is connected.'),
  offline_since: nullable(timestamp, 'Since when it is not connected, if that is known.'),
  gadget_ids: required(list(reference('gadget'), { max: 100 }), 'Its doors.'),
  gadget_names: required(list(text(255), { max: 100 }), 'Their names, in the same order.'),
}
export type WaitingDevice = Shape<typeof waitingDeviceParts>

export const erasure = resource({
  kind: 'erasure',
  plural: 'erasures',
  path: '/erasures',
  about:
    'A member who was erased, or will be. Of the member only its ID is left, which names nobody any more. An erasure cannot be changed or deleted.',
  verbs: ['list', 'get'],
  expands: { member: one('member') },
  actions: {
    create: {
      method: 'POST',
      path: '',
      on: 'collection',
      about:
        'Erases a member for good. Repeating it while it is scheduled or goes on answers the same erasure. A member under a legal hold is erased once the hold has ended.',
      scope: 'write',
      dry_run_scope: 'read',
      bulk: 'never',
      query: dryRun,
      body: {
        member_id: required(reference('member'), 'The member. A deleted one can be erased, too.'),
        ...options,
      },
      answer: 'object',
    },
    cancel: {
      method: 'POST',
      path: '/cancel',
      about: 'Cancels it, while it is scheduled or blocked by a legal hold and has not begun.',
      scope: 'write',
      answer: 'object',
    },
    devices: {
      method: 'GET',
      does: 'query',
      path: '/devices',
      about: 'Lists the devices that have not confirmed yet that they forgot the member, at most 100.',
      scope: 'read',
      answer: shape({
        data: required(list(shape(waitingDeviceParts), { max: 100 }), 'The devices.'),
        count: required(most, 'How many there are in all.'),
      }),
    },
  },
  fields: {
    ...identity('erasure'),
    member_id: field(reference('member'), { about: 'The member.', filter: 'equal' }),
    state: field(choice(...erasureStates), {
      about:
        '`waiting`: all is erased but on devices that are not connected. `blocked`: a legal hold covers the member.',
      example: 'done',
      filter: 'equal',
    }),
    scheduled_at: field(timestamp, { about: 'When it begins.', sort: true, filter: 'compare' }),
    events: field(choice(...erasedEvents), {
      about:
        'What becomes of events: `unlink` takes the member out, `delete` deletes what happened at doors.',
      example: 'unlink',
    }),
    includes_cards: field(flag, { about: 'Whether names and metadata of cards are erased.', example: false }),
    reason: field(choice(...erasureReasons), { about: 'Why.', example: 'request', filter: 'equal' }),
    reference: field(text(64), {
      personal: null,
      about: 'Your case number.',
      example: 'DSR-2026-041',
      nullable: true,
      filter: 'equal',
    }),
    counts: field(shape(countParts), {
      personal: null,
      about: 'What was erased so far.',
      example: { ...noneErased, objects: 7, events: 214, devices: 3, devices_done: 3 },
    }),
    receipt_hash: field(text(64), {
      personal: null,
      about:
        'What the audit chain commits to: the hash of all changed events. Null until they are changed, and if there were none.',
      nullable: true,
    }),
    backups_clear_at: field(timestamp, {
      about:
        'When the last backup that knew the person will have been deleted. Null without backups, and before it has begun.',
      nullable: true,
    }),
    started_at: field(timestamp, { about: 'When it began.', nullable: true }),
    finished_at: field(timestamp, { about: 'When it was done.', nullable: true }),
    stage: field(choice(...erasureStages), {
      about: 'What is to be done next.',
      hidden: true,
      initial: 'rows',
    }),
    device_ids: field(list(text(64), { max: 100_000 }), {
      personal: null,
      about: 'The devices that may hold the member.',
      hidden: true,
      initial: [],
    }),
    card_ids: field(list(text(64), { max: 100_000 }), {
      personal: null,
      about: 'The cards that were emptied.',
      hidden: true,
      initial: [],
    }),
    worked_at: field(timestamp, { about: 'When it was last worked on.', hidden: true, nullable: true }),
    is_deleted: field(flag, { about: 'Always false: it is history.', initial: false }),
    created_at: lifecycle().created_at,
  },
})
