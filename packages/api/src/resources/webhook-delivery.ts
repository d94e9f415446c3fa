import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, integer, reference, text, timestamp } from '../kit/scalars.ts'

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const

/** Why an attempt got no response. */
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
  attempted_at: required(timestamp, 'When the attempt started.'),
  status_code: nullable(integer(100, 999), 'HTTP status of the response. Null if there was none.'),
  latency: required(
    integer(0, 60_000),
    'Milliseconds until the response, or until the attempt was given up.',
  ),
  error: nullable(choice(...attemptErrors), 'Why there was no response.'),
  answer: nullable(text(1024, { min: 0 }), 'The first 1 KiB of the response.'),
}
export type Attempt = Shape<typeof attempt>

export const webhookDelivery = resource({
  kind: 'webhook_delivery',
  plural: 'webhook_deliveries',
  path: '/deliveries',
  parent: 'webhook',
  about: 'The delivery of one event to one webhook, with every attempt. Kept for 30 days.',
  verbs: ['list', 'get'],
  owned_by_application: true,
  logged: false,
  expands: { webhook: one('webhook'), event: one('event') },
  actions: {
    retry: {
      method: 'POST',
      path: '/retry',
      about: 'Sends it again now, whatever its status. Failures are retried for another hour.',
      scope: 'write',
      answer: 'object',
    },
  },
  fields: {
    ...identity('webhook_delivery'),
    webhook_id: field(reference('webhook'), { about: 'The webhook it is sent to.' }),
    event_id: field(reference('event'), { about: 'The event it carries.' }),
    status: field(choice(...deliveryStatuses), {
      about:
        '`pending` until a 2xx response (`succeeded`), the end of the retries (`failed`), or the webhook being deleted or disabled (`canceled`).',
      example: 'succeeded',
    }),
    attempts: field(list(shape(attempt), { max: 1000 }), {
      personal: 'technical',
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
      about: 'When the first attempt of the current round started.',
      hidden: true,
      nullable: true,
    }),
    round_place: field(integer(0, 10), {
      about: "Which step of the current round's retry schedule the next attempt is.",
      hidden: true,
    }),
    reader: field(text(64), { personal: null, about: 'Which rendering of the event is sent.', hidden: true }),
  },
})
