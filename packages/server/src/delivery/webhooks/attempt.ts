import type { Attempt } from '@gatehouse/api'
import type { Clock } from '../../clock.ts'
import type { LaneKey } from './lanes.ts'
import type { Outcome } from './outcomes.ts'
import type { DueDelivery, Target } from './queue.ts'
import { nextAttempt, parseRetryAfter } from './retry-schedule.ts'
import { type Answer, type Sender, send } from './send.ts'
import { signatureHeaders } from './sign.ts'

const plain = ['content-type', 'application/json', 'user-agent', 'Gatehouse-Webhooks/2.0']

/** Sends a delivery once and says what follows from the answer. */
export async function attemptDelivery(
  sender: Sender,
  clock: Clock,
  lane: LaneKey,
  delivery: DueDelivery,
  target: Target,
): Promise<Outcome> {
  const attempted_at = clock.now()
  const { id, event_id, body } = delivery
  const seconds = Math.floor(Date.parse(attempted_at) / 1000)
  const headers = [...plain, ...signatureHeaders(target.key, event_id, seconds, body)]
  const { retry_after, ...answer } = await send(sender, { url: target.url, headers, body })
  const ended_at = clock.now()
  const round_started_at = delivery.round_started_at ?? attempted_at
  const asked = parseRetryAfter(retry_after, ended_at)
  return {
    organization_id: lane.organization_id,
    webhook_id: lane.webhook_id,
    oauth_application_id: delivery.oauth_application_id,
    id,
    event_id,
    reader: delivery.reader,
    created_at: delivery.created_at,
    attempts: [{ attempted_at, ...answer }],
    round_started_at,
    ...conclude(answer, round_started_at, ended_at, asked),
  }
}

function conclude(
  answer: Pick<Answer, 'status_code'>,
  round_started_at: string,
  ended_at: string,
  retry_after: number | undefined,
): Pick<Outcome, 'status' | 'next_attempt_at' | 'finished_at'> {
  if (isAccepted(answer)) return { status: 'succeeded', next_attempt_at: null, finished_at: ended_at }
  const next = nextAttempt({ round_started_at, ended_at, retry_after, random: Math.random() })
  return next
    ? { status: 'pending', next_attempt_at: next, finished_at: null }
    : { status: 'failed', next_attempt_at: null, finished_at: ended_at }
}

/** Any 2xx and nothing else, says the spec. */
function isAccepted({ status_code }: Pick<Attempt, 'status_code'>): boolean {
  return status_code != null && status_code >= 200 && status_code < 300
}
