import type { NotificationAttempt } from '@gatehouse-access/api'
import type { Outcome } from '../../channels/outcome.ts'
import type { Needs } from './needs.ts'
import { nextAttemptAt } from './retries.ts'
import type { Taken } from './take-messages.ts'

/** Stores what became of an attempt, with all notifications of the message. */
export async function record(
  { db, clock, metrics }: Needs,
  organizationId: string,
  { attempt_count, channel, message_id }: Taken,
  attempted_at: string,
  outcome: Outcome,
): Promise<void> {
  const now = clock.now()
  const next = outcome.may_retry ? nextAttemptAt(channel, attempt_count + 1, now, outcome.retry_after) : null
  const status = outcome.is_delivered ? 'succeeded' : next === null ? 'failed' : 'pending'
  await db.query(
    `UPDATE notifications SET attempts = attempts || $3::jsonb, status = $4, next_attempt_at = $5, finished_at = $6
     WHERE organization_id = $1 AND message_id = $2 AND status = 'pending'`,
    [
      organizationId,
      message_id,
      [attemptOf(attempted_at, outcome)],
      status,
      next,
      status === 'pending' ? null : now,
    ],
  )
  metrics.count('gatehouse_notification_attempts_total', {
    channel,
    accepted: String(outcome.is_delivered),
  })
}

export function attemptOf(attempted_at: string, outcome: Outcome): NotificationAttempt {
  const { answer, error, is_delivered, status_code } = outcome
  return {
    attempted_at,
    outcome: is_delivered ? 'accepted' : (error ?? 'refused'),
    status_code,
    answer: answer?.slice(0, 200) ?? null,
  }
}
