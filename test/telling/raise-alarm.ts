import type { World } from '@gatehouse-access/testkit'
import { makeAcknowledgeToken } from '../../packages/server/src/push/acknowledge-tokens.ts'

let count = 0

/** An alarm as the service raises it, and the token of a user who is told of it. */
export async function raiseAlarm(
  { server }: World,
  { organization_id, user_id }: { readonly organization_id: string; readonly user_id: string },
  state = 'open',
): Promise<{ id: string; token: string }> {
  const { db, clock } = server.context
  const id = `alm_${String(++count).padStart(20, '0')}`
  await db.query(
    `INSERT INTO alarms (id, organization_id, type, severity, state, is_over, started_at, occurrence_count, last_occurred_at,
       is_flapping, alarm_rule_ids, is_late, is_drill, in_maintenance, condition_key, is_deleted, created_at, metadata)
     VALUES ($1, $2, 'door_forced', 'critical', $3, false, $4, 1, $4, false, '{}', false, false, false, $1, false, $4, '{}')`,
    [id, organization_id, state, clock.now()],
  )
  const token = await makeAcknowledgeToken({ db, clock }, { organization_id, alarm_id: id, user_id })
  return { id, token }
}
