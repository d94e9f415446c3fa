import { type AlarmSeverity, addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { portionsOf } from '../../store/deliveries.ts'
import { newId } from '../../store/ids.ts'
import type { Tell } from '../matter.ts'
import type { Way } from './find-recipients.ts'

/** Something to tell one recipient. */
export interface Queued {
  readonly way: Way
  readonly alarm_id: string
  readonly alarm_rule_id: string
  readonly site_id: string | null
  readonly reason: Tell['reason']
  readonly severity: AlarmSeverity
  readonly due_at: string
  readonly wait: number
}

/** Rows of one statement. */
const mostRows = 500

/** The group of what quiet hours have kept: one digest in the morning. */
export const quietGroup = 'quiet'

/**
 * Stores notifications that wait to become part of a message. Who is named by two rules hears of an alarm once, with
 * the one that goes first: what has become critical does not wait for the end of quiet hours. Returns how many are new.
 */
export async function queue(
  db: Database,
  organization_id: string,
  all: readonly Queued[],
  now: string,
): Promise<number> {
  const rows = new Map<string, object>()
  for (const one of all) {
    const { way, alarm_id, reason } = one
    const key = [way.notification_target_id, way.user_id, way.channel, alarm_id, reason].join(' ')
    if (!rows.has(key)) rows.set(key, rowOf(organization_id, one, now))
  }
  let count = 0
  for (const portion of portionsOf([...rows.values()], () => 1, mostRows))
    count += await store(db, organization_id, portion)
  return count
}

async function store(db: Database, organization_id: string, rows: readonly object[]): Promise<number> {
  const stored = await db.query(
    `INSERT INTO notifications SELECT f.* FROM jsonb_populate_recordset(NULL::notifications, $2::jsonb) f
     WHERE NOT EXISTS (SELECT 1 FROM notifications n WHERE n.organization_id = $1 AND n.alarm_id = f.alarm_id AND n.reason = f.reason
       AND n.channel = f.channel AND n.notification_target_id IS NOT DISTINCT FROM f.notification_target_id
       AND n.user_id IS NOT DISTINCT FROM f.user_id AND n.status = 'pending' AND n.message_id IS NULL
       AND n.next_attempt_at <= f.next_attempt_at) RETURNING 1`,
    [organization_id, rows],
  )
  return stored.length
}

function rowOf(organization_id: string, one: Queued, now: string): object {
  const { way, alarm_id, alarm_rule_id, site_id, reason, due_at, wait } = one
  const { notification_target_id, user_id, channel, quiet_until } = way
  return {
    id: newId('notification', now),
    organization_id,
    notification_target_id,
    user_id,
    channel,
    alarm_id,
    alarm_rule_id,
    reason,
    status: 'pending',
    attempts: [],
    next_attempt_at: quiet_until ?? addSeconds(due_at, wait),
    finished_at: null,
    message_id: null,
    group_key: quiet_until ? quietGroup : `${alarm_rule_id} ${site_id ?? ''} ${reason}`,
    formed_at: null,
    created_at: now,
  }
}
