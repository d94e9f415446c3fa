import { list, optional, type Shape, shape } from '../kit/compounds.ts'
import { all, one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, integer, reference } from '../kit/scalars.ts'
import { gadgetSignal } from './unlock-rule.ts'

export const emergencyTypes = ['lockdown', 'evacuation'] as const

/** The most doors of one emergency. */
export const mostDoors = 5000

const gadgets = list(reference('gadget'), { max: mostDoors, unique: true })
const targetParts = {
  site_ids: optional(list(reference('site'), { max: 1000, unique: true }), 'All doors of these sites.'),
  gadget_ids: optional(gadgets, 'These doors.'),
  tag_ids: optional(list(reference('tag'), { max: 100, unique: true }), 'All doors with one of these tags.'),
  excluded_gadget_ids: optional(gadgets, 'But not these.'),
}
export type EmergencyTargetsValue = Shape<typeof targetParts>

/** What a plan and an emergency have in common. */
export const planTypes = {
  type: choice(...emergencyTypes),
  targets: shape(targetParts),
  exempt_member_group_ids: list(reference('member_group'), { max: 100, unique: true }),
  unlocked_gadget_ids: list(reference('gadget'), { max: 500, unique: true }),
  offline_hold_seconds: integer(900, 604_800),
  ends_after_seconds: integer(60, 604_800),
}

/** Half a day: nobody stands before a door for days because a modem died. */
export const usualHold = 43_200

export const planWords = {
  type: '`lockdown`: secured; only exempt groups with permission open. `evacuation`: held open.',
  targets:
    'Its doors, found anew at each moment: a door that is added to a site joins a running emergency. At least one door, at most 5000.',
  exempt_member_group_ids:
    'Groups that still open the doors of a lockdown, if their permissions allow it as well.',
  unlocked_gadget_ids: 'Doors that a lockdown holds open, such as those inside a locked perimeter.',
  offline_hold_seconds:
    'How long a controller that hears nothing from the service goes on with it. The service renews it every hour. Null: until it is told otherwise.',
  ends_after_seconds: 'It ends by itself after this time. Null: it is ended by somebody.',
}

const optionally = { create: 'optional', edit: true } as const

export const emergencyPlan = resource({
  kind: 'emergency_plan',
  plural: 'emergency_plans',
  path: '/emergency_plans',
  about: 'A lockdown or an evacuation, prepared so that it can be started at once.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  expands: {
    control_gadget: one('gadget', 'control_gadget_id'),
    exempt_member_groups: all('member_group', 'exempt_member_group_ids'),
    unlocked_gadgets: all('gadget', 'unlocked_gadget_ids'),
  },
  policy: {
    rows: 'emergency_plans',
    sends: [
      'type',
      'targets',
      'exempt_member_group_ids',
      'unlocked_gadget_ids',
      'offline_hold_seconds',
      'ends_after_seconds',
      'control_gadget_id',
      'trigger',
    ],
  },
  fields: {
    ...identity('emergency_plan'),
    name: nameField({ create: 'required', example: 'Lock all outer doors' }),
    type: field(planTypes.type, { about: planWords.type, create: 'required', edit: true }),
    targets: field(planTypes.targets, {
      personal: null,
      about: planWords.targets,
      example: { site_ids: ['site_06gxjs3e7dds3ssctgw6'] },
      create: 'required',
      edit: true,
    }),
    exempt_member_group_ids: field(planTypes.exempt_member_group_ids, {
      about: planWords.exempt_member_group_ids,
      example: [],
      ...optionally,
      initial: [],
    }),
    unlocked_gadget_ids: field(planTypes.unlocked_gadget_ids, {
      about: planWords.unlocked_gadget_ids,
      example: [],
      ...optionally,
      initial: [],
    }),
    offline_hold_seconds: field(planTypes.offline_hold_seconds, {
      about: `${planWords.offline_hold_seconds} Defaults to ${usualHold}.`,
      example: usualHold,
      ...optionally,
      nullable: true,
      initial: usualHold,
      keeps_null: true,
    }),
    ends_after_seconds: field(planTypes.ends_after_seconds, {
      about: planWords.ends_after_seconds,
      example: null,
      ...optionally,
      nullable: true,
    }),
    control_gadget_id: field(reference('gadget'), {
      about:
        'A gadget with the actions `start` and `end`. Whoever has permission for them starts and ends the plan from a door, also while it is offline.',
      ...optionally,
      nullable: true,
    }),
    trigger: field(gadgetSignal, {
      personal: null,
      about: 'A signal that starts it, such as that of a panic button.',
      example: null,
      ...optionally,
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
