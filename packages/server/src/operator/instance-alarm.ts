import type { Database } from '../database/db.ts'
import { newId } from '../store/ids.ts'

export type InstanceAlarmType = 'backup_failed' | 'certificate_expiring'

/** Which alarm it is: one of each is on. */
export interface InstanceCondition {
  readonly type: InstanceAlarmType
  readonly reason: string
  /** The machine or the name that it is about. */
  readonly place: string
}

/** Something that is wrong with the installation itself. */
export interface InstanceReport extends InstanceCondition {
  readonly message: string
  /** How far it has come. Its operator is mailed again when this changes. */
  readonly stage?: string
}

export interface InstanceAlarm extends InstanceCondition {
  readonly id: string
  readonly message: string
  readonly started_at: string
  readonly ended_at: string | null
}

const columns = 'id, type, reason, place, message, started_at, ended_at'

/** Stores that something is wrong, or still is. */
export async function raiseInstanceAlarm(db: Database, report: InstanceReport, now: string): Promise<void> {
  const { type, reason, place, message, stage = '' } = report
  await db.query(
    `INSERT INTO instance_alarms AS a (id, type, reason, place, message, stage, started_at, seen_at, mail_due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7)
     ON CONFLICT (type, reason, place) WHERE ended_at IS NULL DO UPDATE SET seen_at = excluded.seen_at,
       message = excluded.message, stage = excluded.stage,
       mail_due_at = CASE WHEN a.stage = excluded.stage THEN a.mail_due_at ELSE excluded.mail_due_at END`,
    [newId('instance_alarm', now), type, reason, place, message, stage, now],
  )
}

/** Stores that it is over. Who was mailed of it is mailed of that. */
export async function endInstanceAlarm(
  db: Database,
  { type, reason, place }: InstanceCondition,
  now: string,
): Promise<void> {
  await db.query(
    `UPDATE instance_alarms SET ended_at = $4, mail_failures = 0, mail_due_at = CASE WHEN mailed_at IS NOT NULL THEN $4::timestamptz END
     WHERE type = $1 AND reason = $2 AND place = $3 AND ended_at IS NULL`,
    [type, reason, place, now],
  )
}

/** Ends what nobody has found since then: its machine is no part of the installation any more. */
export async function forgetInstanceAlarms(db: Database, since: string, now: string): Promise<void> {
  await db.query(
    'UPDATE instance_alarms SET ended_at = $2, mail_due_at = NULL WHERE ended_at IS NULL AND seen_at < $1',
    [since, now],
  )
}

/** Lists the newest first. */
export function listInstanceAlarms(
  db: Database,
  { is_on, limit }: { readonly is_on: boolean; readonly limit: number },
): Promise<InstanceAlarm[]> {
  return db.query<InstanceAlarm>(
    `SELECT ${columns} FROM instance_alarms WHERE NOT $1 OR ended_at IS NULL ORDER BY started_at DESC, id DESC LIMIT $2`,
    [is_on, limit],
  )
}
