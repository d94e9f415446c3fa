import { hash } from 'node:crypto'
import type { Attempt } from '@gatehouse-access/api'
import type { Clock } from '../../flow/clock.ts'
import type { DueDelivery } from './due-delivery.ts'
import type { Outcome } from './outcome.ts'
import type { Target } from './queue.ts'
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts'
import { type Answer, type Sender, send } from './send.ts'
import { signedHeaders } from './sign.ts'

/** Sends a delivery once and derives the outcome from the answer. */
export async function attemptDelivery(
  sender: Sender,
  clock: Clock,
  delivery: DueDelivery,
  target: Target,
  traceparent?: string,
): Promise<Outcome> {
  const attempted_at = clock.now()
  const { event_id, body } = delivery
  const seconds = Math.floor(Date.parse(attempted_at) / 1000)
  const headers = signedHeaders(target.key, event_id, seconds, body)
  if (traceparent !== undefined) headers.push('traceparent', traceparent)
  const answer = await send(sender, {
    organization_id: delivery.source.organization_id,
    target,
    headers,
    body,
  })
  return conclude(delivery, answer, attempted_at, clock.now())
}

function conclude(delivery: DueDelivery, answer: Answer, attempted_at: string, ended_at: string): Outcome {
  const round_started_at = delivery.round_started_at ?? attempted_at
  const { status_code, latency, error, answer: text } = answer
  const attempt: Attempt = { attempted_at, status_code, latency, error, answer: text }
  const { round_place, previous_at } = delivery
  const known = { delivery, attempt, round_started_at, round_place }
  const over = { next_attempt_at: null, finished_at: ended_at }
  if (isAccepted(answer)) return { ...known, status: 'succeeded', ...over }
  const retry_after = parseRetryAfter(answer.retry_after, ended_at)
  const times = { round_started_at, round_place, previous_at, attempted_at, ended_at }
  const next = nextAttempt({ ...times, retry_after, jitter: jitterOf(delivery.id) })
  return next
    ? { ...known, status: 'pending', ...next, finished_at: null }
    : { ...known, status: 'failed', ...over }
}

/** Spreads deliveries that failed together. All attempts of a delivery get the same jitter. */
function jitterOf(deliveryId: string): number {
  return hash('sha256', deliveryId, 'buffer').readUInt32BE() / 2 ** 32
}

function isAccepted({ status_code }: Pick<Attempt, 'status_code'>): boolean {
  return status_code != null && status_code >= 200 && status_code < 300
}
