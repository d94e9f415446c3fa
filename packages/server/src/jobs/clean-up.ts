import { addSeconds } from '@gatehouse-access/core'
import { eachApart } from '../flow/each-apart.ts'
import type { Context } from '../services/objects/context.ts'
import { makeEventPartitions } from '../store/migration/migrate.ts'

const batch = 5000

const day = 24 * 3600
/** Seconds that rows are kept after the time in a column. */
const kept: readonly (readonly [table: string, column: string, seconds: number])[] = [
  ['idempotency_keys', 'created_at', day],
  ['webhook_deliveries', 'created_at', 30 * day],
  ['webhook_bodies', 'created_at', 30 * day],
  ['notifications', 'created_at', 30 * day],
  ['jobs', 'ended_at', 30 * day],
  ['job_files', 'expires_at', 0],
  ['device_commands', 'deadline', day],
  ['pin_lookups', 'looked_up_at', day],
  ['wrong_entries', 'slot', 2 * day],
  ['guessing_alarms', 'until', 0],
  ['stream_tickets', 'expires_at', 0],
  ['access_tokens', 'expires_at', 7 * day],
  ['oauth_artifacts', 'expires_at', 0],
  ['user_sessions', 'expires_at', 0],
  ['sign_in_steps', 'expires_at', 0],
  ['member_sessions', 'expires_at', 0],
  ['member_tickets', 'expires_at', 0],
  ['mail_codes', 'expires_at', 0],
  ['passkey_challenges', 'expires_at', 0],
  ['invitations', 'expires_at', 0],
  ['alarm_tokens', 'expires_at', 0],
  ['instance_alarms', 'ended_at', 365 * day],
  ['mail_sends', 'sent_at', 3600],
  ['sign_in_failures', 'failed_at', day],
]

/** Removes expired rows and creates the event partitions of the coming months. */
export async function cleanUp({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  await makeEventPartitions(db, now)
  await eachApart(kept, ([table, column, seconds]) =>
    removeBefore(db, table, column, addSeconds(now, -seconds)),
  )
}

/** Deletes in batches, so that no long transaction holds back the readers of the feed. */
async function removeBefore(db: Context['db'], table: string, column: string, before: string): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${batch}) RETURNING 1`,
      [before],
    )
    if (rows.length < batch) return
  }
}
