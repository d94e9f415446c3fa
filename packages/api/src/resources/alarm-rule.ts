import { alarmSeverities, ruledTypeNames } from '@gatehouse-access/core'
import { list, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { one, oneInside } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, reference } from '../kit/scalars.ts'
import { userId } from './user.ts'

/** The most recipients of one step. */
export const mostRecipients = 20

const recipientParts = {
  notification_target_id: optional(reference('notification_target'), 'A target.'),
  user_id: optional(userId, 'A user of the organization, who chooses how.'),
  role: optional(choice('owner', 'administrator'), 'All users who have this role, by mail.'),
}
export type AlarmRecipient = Shape<typeof recipientParts>
const recipients = list(shape(recipientParts), { min: 1, max: mostRecipients })

const targetParts = {
  site_ids: optional(list(reference('site'), { max: 200, unique: true }), 'Alarms at these sites.'),
  gadget_ids: optional(list(reference('gadget'), { max: 500, unique: true }), 'Alarms of these gadgets.'),
  device_ids: optional(
    list(reference('device'), { max: 200, unique: true }),
    'Alarms of these devices and of their gadgets.',
  ),
  tag_ids: optional(
    list(reference('tag'), { max: 100, unique: true }),
    'Alarms of sites, devices, gadgets and members with one of these tags.',
  ),
}
export type AlarmTargets = Shape<typeof targetParts>

const thresholdParts = {
  count: optional(integer(2, 1000), 'Of `access_denied_often`: how many denials.'),
  seconds: optional(integer(60, 3600), 'Of `access_denied_often`: within how long.'),
  percent: optional(integer(1, 99), 'Of `device_battery_low`: under how many percent.'),
}
export type AlarmThresholds = Shape<typeof thresholdParts>

const stepParts = {
  after_seconds: required(
    integer(60, 604_800),
    'How long after the alarm was told. Each step comes later than the one before.',
  ),
  notify: required(recipients, 'Who is told then.'),
}
export type EscalationStep = Shape<typeof stepParts>

const optionally = { create: 'optional', edit: true } as const

export const alarmRule = resource({
  kind: 'alarm_rule',
  plural: 'alarm_rules',
  path: '/alarm_rules',
  about: 'Who is told of which alarms, when, and what happens if nobody acknowledges them.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  expands: {
    schedule: one('schedule'),
    'notify.notification_target': oneInside('notify', 'notification_target'),
    'notify.user': oneInside('notify', 'user'),
  },
  fields: {
    ...identity('alarm_rule'),
    name: nameField({ create: 'required', example: 'Doors of Madrid at night' }),
    types: field(list(choice(...ruledTypeNames), { min: 1, max: ruledTypeNames.length, unique: true }), {
      personal: null,
      about: 'The types of alarms that it takes up.',
      example: ['door_forced', 'door_held'],
      create: 'required',
      edit: true,
    }),
    targets: field(shape(targetParts), {
      personal: null,
      about: 'Where: an alarm counts if it belongs to one of these. Empty: everywhere.',
      example: {},
      ...optionally,
      initial: {},
    }),
    schedule_id: field(reference('schedule'), {
      about:
        "When it counts, in the local time of the alarm's site. An alarm outside of it is told when it begins, if it is still on. Null: always.",
      ...optionally,
      nullable: true,
    }),
    severity: field(choice(...alarmSeverities), {
      about: 'How severe its alarms are. Null: as their types are.',
      ...optionally,
      nullable: true,
    }),
    delay_seconds: field(integer(0, 86_400), {
      about: 'How long a condition has to hold before it counts. Null: as its type says.',
      example: 60,
      ...optionally,
      nullable: true,
    }),
    notify: field(recipients, {
      personal: null,
      about: 'Who is told: entries with exactly one of `notification_target_id`, `user_id` and `role`.',
      example: [{ notification_target_id: 'ntt_06gxjs3e7dds3ssctgw6' }],
      create: 'required',
      edit: true,
    }),
    repeat_seconds: field(integer(60, 86_400), {
      about: 'How often it is told again until somebody acknowledges it, at most 20 times. Null: once.',
      example: 600,
      ...optionally,
      nullable: true,
    }),
    escalate: field(list(shape(stepParts), { max: 3 }), {
      personal: null,
      about: 'Who else is told while nobody has acknowledged it.',
      example: [],
      ...optionally,
      initial: [],
    }),
    auto_close_seconds: field(integer(0, 604_800), {
      about: 'How long after its end an acknowledged alarm closes by itself.',
      example: 0,
      ...optionally,
      initial: 0,
    }),
    thresholds: field(shape(thresholdParts), {
      personal: null,
      about: 'For the types that have one: from when on it is an alarm.',
      example: {},
      ...optionally,
      initial: {},
    }),
    is_enabled: field(flag, { about: 'If false, it does nothing.', ...optionally, initial: true }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
