import { addSeconds, alarmSeverities } from '@gatehouse-access/core'
import type { Channel } from './find-recipients.ts'
import type { Needs } from './needs.ts'

/** A message that this process sends. */
export interface Taken {
  readonly message_id: string
  readonly notification_target_id: string | null
  readonly user_id: string | null
  readonly channel: Channel
  readonly reason: 'opened' | 'repeated' | 'escalated' | 'ended' | 'digest'
  readonly attempt_count: number
}

/** Seconds after which a message is sent again whose sender has said nothing: longer than any attempt takes. */
const lease = 60

/** Takes messages that are due, the gravest first. Until the lease ends, no other process takes them. */
export async function takeMessages(
  { db, clock }: Needs,
  organizationId: string,
  most: number,
): Promise<Taken[]> {
  const now = clock.now()
  const due = await db.query<{ message_id: string }>(
    `SELECT n.message_id FROM notifications n JOIN alarms a ON a.organization_id = $1 AND a.id = n.alarm_id
     WHERE n.organization_id = $1 AND n.status = 'pending' AND n.message_id IS NOT NULL AND n.next_attempt_at <= $2
     GROUP BY 1 ORDER BY max(array_position($3::text[], a.severity)) DESC, min(n.next_attempt_at), 1 LIMIT $4`,
    [organizationId, now, alarmSeverities, most],
  )
  if (due.length === 0) return []
  const ids = due.map(({ message_id }) => message_id)
  const taken = await db.query<Taken>(
    `WITH taken AS (UPDATE notifications SET next_attempt_at = $3 WHERE organization_id = $1 AND message_id = ANY($4::text[])
       AND status = 'pending' AND next_attempt_at <= $2
       RETURNING message_id, notification_target_id, user_id, channel, reason, jsonb_array_length(attempts) AS attempt_count)
     SELECT DISTINCT ON (message_id) * FROM taken ORDER BY message_id`,
    [organizationId, now, addSeconds(now, lease), ids],
  )
  return taken.toSorted((one, other) => ids.indexOf(one.message_id) - ids.indexOf(other.message_id))
}
