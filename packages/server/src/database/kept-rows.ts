import { unknownCardDays } from '@gatehouse-access/api'

const day = 24 * 3600

/** Seconds that rows are kept after the time in a column. */
export const keptRows: readonly (readonly [table: string, column: string, seconds: number])[] = [
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
  ['unknown_cards', 'seen_at', unknownCardDays * day],
  ['stream_tickets', 'expires_at', 0],
  ['access_tokens', 'expires_at', 7 * day],
  ['oauth_artifacts', 'expires_at', 0],
  ['user_sessions', 'expires_at', 0],
  ['sign_in_steps', 'expires_at', 0],
  ['member_sessions', 'expires_at', 0],
  ['member_tickets', 'expires_at', 0],
  // Longer than they are valid: another one can be asked for.
  ['mail_codes', 'expires_at', 3600],
  ['passkey_challenges', 'expires_at', 0],
  ['invitations', 'expires_at', 0],
  ['alarm_tokens', 'expires_at', 0],
  ['instance_alarms', 'ended_at', 365 * day],
  ['mail_sends', 'sent_at', 3600],
  ['sign_in_failures', 'failed_at', day],
]
