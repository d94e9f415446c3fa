import { list, optional } from '../kit/compounds.ts'
import { all, one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, nameText, reference, text, timestamp } from '../kit/scalars.ts'
import { planTypes, planWords, usualHold } from './emergency-plan.ts'
import { mostEmergencies } from './gadget-mode.ts'

export const arrivals = ['applied', 'pending'] as const
export const emergencyDoorStates = ['confirmed', 'sent', 'offline', 'cannot_hold', 'failed'] as const

/** Counted when the service answers. */
const countedByService = () => null

const given = { create: 'optional' } as const

export const emergency = resource({
  kind: 'emergency',
  plural: 'emergencies',
  path: '/emergencies',
  about:
    'A lockdown or an evacuation that was started. It is history once it has ended: it cannot be changed or deleted.',
  verbs: ['list', 'create', 'get', 'edit'],
  search: { fields: ['name'] },
  expands: {
    emergency_plan: one('emergency_plan'),
    exempt_member_groups: all('member_group', 'exempt_member_group_ids'),
    unlocked_gadgets: all('gadget', 'unlocked_gadget_ids'),
  },
  policy: { rows: 'emergencies', ends_with: 'ended_at', sends: ['offline_hold_seconds', 'renewed_at'] },
  actions: {
    end: {
      method: 'POST',
      path: '/end',
      about: 'Ends it. The doors go back to what else is set. Ending twice changes nothing.',
      scope: 'write',
      body: { reason: optional(text(1000), 'Why, for the record.') },
      answer: 'object',
    },
    doors: {
      method: 'GET',
      does: 'query',
      path: '/doors',
      about:
        'Lists its doors by ID, and whether it has arrived there. After its end: whether the end has arrived.',
      scope: 'read',
      query: {
        state: { type: choice(...emergencyDoorStates), about: 'Only doors in this state.' },
        limit: { type: integer(1, 100), about: 'Entries per page. Defaults to 20.' },
        cursor: { type: text(2000), about: '`cursor_next` of the previous page.' },
      },
      answer: { page_of: 'emergency_door' },
    },
  },
  fields: {
    ...identity('emergency'),
    emergency_plan_id: field(reference('emergency_plan'), {
      about: 'The plan that it follows. Give this, or `type` and `targets`.',
      ...given,
      nullable: true,
    }),
    name: field(nameText, {
      personal: 'free',
      about: 'Display name. Defaults to that of the plan, else to its type.',
      example: 'Lock all outer doors',
      ...given,
      sort: true,
    }),
    type: field(planTypes.type, { about: planWords.type, ...given, engine: true }),
    targets: field(planTypes.targets, {
      personal: null,
      about: planWords.targets,
      example: { site_ids: ['site_06gxjs3e7dds3ssctgw6'] },
      ...given,
      engine: true,
    }),
    exempt_member_group_ids: field(planTypes.exempt_member_group_ids, {
      about: planWords.exempt_member_group_ids,
      example: [],
      ...given,
      initial: [],
      engine: true,
    }),
    unlocked_gadget_ids: field(planTypes.unlocked_gadget_ids, {
      about: planWords.unlocked_gadget_ids,
      example: [],
      ...given,
      initial: [],
      engine: true,
    }),
    offline_hold_seconds: field(planTypes.offline_hold_seconds, {
      about: `${planWords.offline_hold_seconds} Defaults to ${usualHold}.`,
      example: usualHold,
      ...given,
      nullable: true,
      initial: usualHold,
      keeps_null: true,
    }),
    ends_after_seconds: field(planTypes.ends_after_seconds, {
      about: 'In place of `ends_at`: it ends by itself after this time.',
      ...given,
      body_only: true,
    }),
    reason: field(text(1000), { personal: 'free', about: 'Why it was started.', ...given, nullable: true }),
    is_drill: field(flag, {
      about: 'A drill does everything an emergency does, and is marked as one.',
      ...given,
      initial: false,
      engine: true,
    }),
    started_at: field(timestamp, { about: 'When it started.', sort: true, filter: 'compare', engine: true }),
    ends_at: field(timestamp, {
      about: 'When it ends by itself. Null: somebody has to end it.',
      ...given,
      nullable: true,
      filter: 'compare',
      engine: true,
    }),
    ended_at: field(timestamp, {
      about: 'When it ended. Null while it is active.',
      nullable: true,
      filter: 'compare',
      engine: true,
    }),
    end_reason: field(text(1000), { personal: 'free', about: 'Why it was ended.', nullable: true }),
    is_active: field(flag, {
      about: 'Whether it has not ended.',
      example: true,
      filter: 'equal',
      initial: true,
    }),
    renewed_at: field(timestamp, {
      about: 'When it was last renewed for controllers that may lose the network.',
    }),
    replaces: field(list(reference('emergency'), { max: mostEmergencies, unique: true }), {
      about:
        'Emergencies that end on the doors of this one, in the same instant. One that has no other doors ends.',
      example: [],
      ...given,
      body_only: true,
    }),
    gadget_count: field(integer(0, 100_000), {
      about: 'How many doors it concerns, without those that cannot follow.',
      example: 22,
      derive: countedByService,
    }),
    confirmed_gadget_count: field(integer(0, 100_000), {
      about: 'How many of them have reported that they follow; after its end, that they follow no longer.',
      example: 21,
      derive: countedByService,
    }),
    cannot_gadget_count: field(integer(0, 100_000), {
      about: 'How many gadgets of its targets cannot follow: no doors, or doors that cannot be held open.',
      example: 0,
      derive: countedByService,
    }),
    arrival: field(choice(...arrivals), {
      about: '`applied` once all of its doors have confirmed, else `pending`.',
      example: 'pending',
      derive: countedByService,
    }),
    final_gadget_count: field(integer(0, 100_000), {
      about: 'How many doors it concerned when it ended.',
      hidden: true,
      nullable: true,
    }),
    final_cannot_count: field(integer(0, 100_000), {
      about: 'How many gadgets could not follow when it ended.',
      hidden: true,
      nullable: true,
    }),
    is_deleted: field(flag, { about: 'Always false: it is history.', initial: false }),
    created_at: lifecycle().created_at,
    metadata: metadataField(),
  },
})

/** A door of an emergency. An entry of `GET /emergencies/{emergency_id}/doors`. */
export const emergencyDoor = resource({
  kind: 'emergency_door',
  plural: 'emergency_doors',
  path: '',
  about: 'A door of an emergency, and whether the emergency, or its end, has arrived there.',
  verbs: [],
  logged: false,
  expands: { gadget: one('gadget'), device: one('device') },
  fields: {
    gadget_id: field(reference('gadget'), { about: 'The door.' }),
    device_id: field(reference('device'), { about: 'Its device.' }),
    state: field(choice(...emergencyDoorStates), {
      about:
        '`confirmed`: its device has reported it. `sent`: its device is connected and has not reported it yet. `offline`: its device is not connected, so nothing has changed there. `failed`: its device tried and failed. `cannot_hold`: it is no door, or cannot be held open.',
      example: 'confirmed',
    }),
    since: field(timestamp, { about: 'Since when it is in this state, if that is known.', nullable: true }),
    offline_since: field(timestamp, {
      about: 'Since when its device is not connected, if it is not.',
      nullable: true,
    }),
    holds_until: field(timestamp, {
      about:
        'If the emergency has ended and the end has not arrived: when the controller gives it up by itself. Null: not by itself.',
      nullable: true,
    }),
  },
})
