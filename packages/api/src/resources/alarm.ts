import { alarmSeverities, alarmTypeNames } from '@gatehouse-access/core'
import { list, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { all, one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { type Action, resource } from '../kit/resource.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'
import { userId } from './user.ts'

export const alarmStates = ['open', 'acknowledged', 'closed'] as const

/** The most alarms that one request acknowledges. */
export const mostAcknowledged = 100

/** The most days that an alarm is snoozed, and that something is in maintenance. */
export const mostQuietDays = 7

const note = text(1000)
const acknowledgedParts = {
  alarm_ids: required(
    list(reference('alarm'), { max: mostAcknowledged }),
    'Those that this request acknowledged. Those that were acknowledged or closed before are left out.',
  ),
}
export type AcknowledgedAlarms = Shape<typeof acknowledgedParts>

/** An action that changes one alarm. */
function change<const A extends Pick<Action, 'path' | 'about' | 'body'>>(action: A) {
  return { method: 'POST', scope: 'write', answer: 'object', ...action } as const
}

export const alarm = resource({
  kind: 'alarm',
  plural: 'alarms',
  path: '/alarms',
  about:
    'Something that went wrong at a door, a device or in the service, from its beginning to its end, and who has taken care of it. The service creates alarms; they are history and cannot be deleted.',
  verbs: ['list', 'get', 'edit'],
  usual_sort: 'started_at',
  expands: {
    site: one('site'),
    device: one('device'),
    gadget: one('gadget'),
    member: one('member'),
    emergency: one('emergency'),
    webhook: one('webhook'),
    calendar: one('calendar'),
    acknowledged_by_user: one('user', 'acknowledged_by_user_id'),
    alarm_rules: all('alarm_rule'),
    cause_alarm: one('alarm', 'cause_alarm_id'),
  },
  actions: {
    acknowledge: change({
      path: '/acknowledge',
      about: 'Says that somebody takes care of it. Acknowledging twice changes nothing.',
      body: { note: optional(note, 'For the record. Replaces the note.') },
    }),
    snooze: change({
      path: '/snooze',
      about: 'Keeps it quiet for a while: nobody is told of it until then. It is acknowledged with that.',
      body: { until: required(timestamp, `When it is told again, at most ${mostQuietDays} days ahead.`) },
    }),
    close: change({
      path: '/close',
      about: 'Closes it. Closing twice changes nothing.',
      body: { note: optional(note, 'For the record. Replaces the note.') },
    }),
    reopen: change({
      path: '/reopen',
      about: 'Opens it again, as if nobody had taken care of it. Reopening an open one changes nothing.',
      body: {},
    }),
    acknowledge_many: {
      method: 'POST',
      path: '/acknowledge',
      on: 'collection',
      about:
        'Acknowledges several alarms, all or none: one that does not exist is an error. Closed ones are left as they are.',
      scope: 'write',
      body: {
        alarm_ids: required(
          list(reference('alarm'), { min: 1, max: mostAcknowledged, unique: true }),
          'The alarms.',
        ),
      },
      answer: shape(acknowledgedParts),
    },
  },
  fields: {
    ...identity('alarm'),
    type: field(choice(...alarmTypeNames), { about: 'What went wrong.', example: 'door_held' }),
    severity: field(choice(...alarmSeverities), {
      about: 'How severe it is: that of its type, or what the rules that took it up say.',
      example: 'warning',
    }),
    state: field(choice(...alarmStates), {
      about:
        '`open` until somebody acknowledges or closes it. An `acknowledged` alarm that is over closes by itself.',
      example: 'open',
      initial: 'open',
    }),
    is_over: field(flag, {
      about: 'Whether the condition has ended, such as a door that is closed again.',
      initial: false,
      filter: 'equal',
    }),
    ended_at: field(timestamp, {
      about: 'When the condition ended.',
      nullable: true,
      filter: 'compare',
    }),
    site_id: field(reference('site'), { about: 'Where it is.', nullable: true }),
    device_id: field(reference('device'), { about: 'The device that it is about.', nullable: true }),
    gadget_id: field(reference('gadget'), { about: 'The gadget that it is about.', nullable: true }),
    member_id: field(reference('member'), { about: 'The member that it is about.', nullable: true }),
    emergency_id: field(reference('emergency'), { about: 'The emergency that it is about.', nullable: true }),
    webhook_id: field(reference('webhook'), { about: 'The webhook that it is about.', nullable: true }),
    calendar_id: field(reference('calendar'), { about: 'The calendar that it is about.', nullable: true }),
    started_at: field(timestamp, {
      about: 'When it began, at the door.',
      sort: true,
      filter: 'compare',
    }),
    recorded_at: field(timestamp, {
      about: 'When the service learned of it. Equal to created_at.',
      filter: 'compare',
      alias: 'created_at',
    }),
    occurrence_count: field(integer(1, 2_147_483_647), {
      about: 'How often it has occurred. What occurs again within 5 minutes of its end is the same alarm.',
      example: 1,
      initial: 1,
    }),
    last_occurred_at: field(timestamp, { about: 'When it last began.', filter: 'compare' }),
    is_flapping: field(flag, {
      about:
        'True while it comes and goes: more than 5 times in 10 minutes. It stays on until it has been quiet for 10 minutes.',
      initial: false,
      filter: 'equal',
    }),
    acknowledged_at: field(timestamp, {
      about: 'When it was acknowledged.',
      nullable: true,
      filter: 'compare',
    }),
    acknowledged_by_user_id: field(userId, {
      about: 'Who acknowledged it. Null if an application did that has no user.',
      nullable: true,
    }),
    snoozed_until: field(timestamp, {
      about: 'Until when nobody is told of it.',
      nullable: true,
      filter: 'compare',
    }),
    note: field(note, {
      personal: 'free',
      about: 'What somebody wrote about it.',
      edit: true,
      nullable: true,
    }),
    alarm_rule_ids: field(list(reference('alarm_rule'), { max: 200 }), {
      about: 'The rules that took it up.',
      example: [],
      initial: [],
      filter: 'has_all',
    }),
    cause_alarm_id: field(reference('alarm'), {
      about:
        'The alarm that explains it, such as that of a gateway without network. Then nobody is told of it.',
      nullable: true,
    }),
    is_late: field(flag, {
      about: 'True if the service learned of it more than 15 minutes after it began.',
      initial: false,
      filter: 'equal',
    }),
    is_drill: field(flag, { about: 'True if it is part of a drill.', initial: false, filter: 'equal' }),
    in_maintenance: field(flag, {
      about: 'True if its site or device was in maintenance when it began. Then nobody is told of it.',
      initial: false,
      filter: 'equal',
    }),
    condition_key: field(text(255), {
      personal: 'technical',
      about: 'What it is about, in one word: its type and its subject. One alarm of each is not closed.',
      hidden: true,
    }),
    closes_at: field(timestamp, {
      about: 'When it closes by itself: it is acknowledged and over.',
      hidden: true,
      nullable: true,
    }),
    is_deleted: field(flag, { about: 'Always false: it is history.', initial: false }),
    created_at: lifecycle().created_at,
    metadata: metadataField(),
  },
})
