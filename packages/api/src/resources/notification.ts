import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, integer, reference, text, timestamp } from '../kit/scalars.ts'
import { targetKinds } from './notification-target.ts'
import { userId } from './user.ts'

export const notificationReasons = ['opened', 'repeated', 'escalated', 'ended', 'digest', 'test'] as const
export const notificationStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const
export const notificationChannels = [...targetKinds, 'push'] as const

const attempt = {
  attempted_at: required(timestamp, 'When the attempt started.'),
  outcome: required(text(64), '`accepted`, or why not, such as `timeout`, `refused` or `address_refused`.'),
  status_code: nullable(integer(100, 999), 'Status of the answer. Null if there was none.'),
  answer: nullable(text(200, { min: 0 }), 'The first 200 bytes of the answer.'),
}
export type NotificationAttempt = Shape<typeof attempt>

export const notification = resource({
  kind: 'notification',
  plural: 'notifications',
  path: '/notifications',
  about: 'One alarm on its way to one target or user, with every attempt. Kept for 30 days.',
  verbs: ['list', 'get'],
  logged: false,
  expands: {
    notification_target: one('notification_target'),
    user: one('user'),
    alarm: one('alarm'),
    alarm_rule: one('alarm_rule'),
  },
  fields: {
    ...identity('notification'),
    notification_target_id: field(reference('notification_target'), {
      about: 'The target, if it goes to one.',
      nullable: true,
    }),
    user_id: field(userId, { about: 'The user, if it goes to one.', nullable: true }),
    channel: field(choice(...notificationChannels), { about: 'How it is sent.', example: 'email' }),
    alarm_id: field(reference('alarm'), { about: 'The alarm. Null for a test.', nullable: true }),
    alarm_rule_id: field(reference('alarm_rule'), {
      about: 'The rule that asks for it. Null for a test.',
      nullable: true,
    }),
    reason: field(choice(...notificationReasons), { about: 'Why it is sent.', example: 'opened' }),
    status: field(choice(...notificationStatuses), {
      about:
        '`pending` until it is accepted (`succeeded`), the attempts have ended (`failed`), or there is nothing left to tell (`canceled`).',
      example: 'succeeded',
      initial: 'pending',
    }),
    attempts: field(list(shape(attempt), { max: 20 }), {
      personal: 'technical',
      about: 'Every attempt, oldest first.',
      example: [
        { attempted_at: '2026-11-14T09:30:00.123456Z', outcome: 'accepted', status_code: 250, answer: 'ok' },
      ],
      initial: [],
    }),
    next_attempt_at: field(timestamp, { about: 'When the next attempt is due.', nullable: true }),
    finished_at: field(timestamp, { about: 'When it succeeded, failed or was canceled.', nullable: true }),
    message_id: field(text(64), {
      personal: 'technical',
      about: 'Notifications that go as one message have the same.',
      hidden: true,
      nullable: true,
    }),
    group_key: field(text(255), {
      personal: 'technical',
      about: 'Notifications that wait to go as one message have the same.',
      hidden: true,
      nullable: true,
    }),
    formed_at: field(timestamp, {
      about: 'When it became part of a message.',
      hidden: true,
      nullable: true,
    }),
    created_at: lifecycle().created_at,
  },
})
