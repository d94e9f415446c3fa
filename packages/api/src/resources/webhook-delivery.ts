import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, integer, reference, text, timestamp } from '../kit/scalars.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const

/** Why an attempt got no answer. */
export const attemptErrors = [
  'timeout',
  'address_refused',
  'name_not_found',
  'connection_failed',
  'connection_closed',
  'tls_failed',
  'invalid_answer',
] as const

const attempt = {
  attempted_at: required(timestamp, 'When it began.'),
  status_code: nullable(integer(100, 999), 'The status of the answer; null when none came.'),
  latency: required(integer(0, 60_000), 'Milliseconds until the answer, or until it was given up.'),
  error: nullable(choice(...attemptErrors), 'Why no answer came.'),
  answer: nullable(text(1024, { min: 0 }), 'The first 1 KiB of the answer.'),
}
export type Attempt = Shape<typeof attempt>

export const webhookDelivery = resource({
  kind: 'webhook_delivery',
  plural: 'webhook_deliveries',
  path: '/deliveries',
  parent: 'webhook',
  about: 'An event on its way to a webhook, with every attempt. Kept for 30 days.',
  verbs: ['list', 'get'],
  owned_by_application: true,
  logged: false,
  expands: { webhook: one('webhook'), event: one('event') },
  actions: {
    retry: {
      method: 'POST',
      path: '/retry',
      about: 'Sends it again now, whatever became of it; failures are retried for another hour.',
      scope: 'write',
      answer: 'object',
    },
  },
  fields: {
    ...identity('webhook_delivery'),
    webhook_id: field(reference('webhook'), { about: 'The webhook it goes to.' }),
    event_id: field(reference('event'), { about: 'The event it carries.' }),
    status: field(choice(...deliveryStatuses), {
      about:
        '`pending` until a 2xx answer (`succeeded`), the end of the retries (`failed`), or the webhook being deleted or disabled (`canceled`).',
      example: 'succeeded',
    }),
    attempts: field(list(shape(attempt), { max: 1000 }), {
      about: 'Every attempt, oldest first.',
      example: [
        {
          attempted_at: '2026-11-14T09:30:00.123456Z',
          status_code: 200,
          latency: 41,
          error: null,
          answer: 'ok',
        },
      ],
    }),
    next_attempt_at: field(timestamp, { about: 'When the next attempt is due.', nullable: true }),
    finished_at: field(timestamp, { about: 'When it succeeded, failed or was canceled.', nullable: true }),
    created_at: lifecycle().created_at,
    oauth_application_id: field(reference('oauth_application'), {
      about: 'The application the webhook belongs to.',
      hidden: true,
    }),
    round_started_at: field(timestamp, {
      about: 'When the first attempt of the present round began.',
      hidden: true,
      nullable: true,
    }),
    round_place: field(integer(0, 10), {
      about: 'Which time of the schedule of the present round the next attempt is for.',
      hidden: true,
    }),
    reader: field(text(64), { about: 'Which rendering of the event is sent.', hidden: true }),
  },
})
