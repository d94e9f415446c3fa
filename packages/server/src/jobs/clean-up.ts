import { addSeconds } from '@gatehouse-access/core'
import type { Context } from '../services/objects/context.ts'
import { makeEventPartitions } from '../store/migrate.ts'

const batch = 5000

/** Removes expired rows and creates the event partitions of the coming months. */
export async function cleanUp({ db, clock }: Context): Promise<void> {
  const now = clock.now()
  await makeEventPartitions(db, now)
  await removeBefore(db, 'idempotency_keys', 'created_at', addSeconds(now, -24 * 3600))
  const month = addSeconds(now, -30 * 24 * 3600)
  for (const table of ['webhook_deliveries', 'webhook_bodies'])
    await removeBefore(db, table, 'created_at', month)
  await removeBefore(db, 'device_commands', 'deadline', addSeconds(now, -24 * 3600))
  await removeBefore(db, 'pin_lookups', 'looked_up_at', addSeconds(now, -24 * 3600))
  await removeBefore(db, 'wrong_entries', 'slot', addSeconds(now, -48 * 3600))
  await removeBefore(db, 'guessing_alarms', 'until', now)
  await removeBefore(db, 'stream_tickets', 'expires_at', now)
  await removeBefore(db, 'access_tokens', 'expires_at', addSeconds(now, -7 * 24 * 3600))
  for (const table of [
    'oauth_artifacts',
    'user_sessions',
    'sign_in_steps',
    'member_sessions',
    'member_tickets',
    'mail_codes',
    'passkey_challenges',
    'invitations',
  ])
    await removeBefore(db, table, 'expires_at', now)
  await removeBefore(db, 'mail_sends', 'sent_at', addSeconds(now, -3600))
  await removeBefore(db, 'sign_in_failures', 'failed_at', addSeconds(now, -24 * 3600))
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
