import type { PersonalClass } from '@gatehouse-access/api'

type Classes = Readonly<Record<string, PersonalClass | null>>

/**
 * What the columns that no declaration names are to the persons they are about: the same question that `personal` of a field
 * answers, see `personalOf`. IDs are not personal by themselves, and bytes are secrets, unless listed.
 */
export const personalColumns: Readonly<Record<string, Classes>> = {
  access_tokens: { scopes: null },
  acme_accounts: { directory: null },
  acme_challenges: { token: 'secret', kind: null, name: null, key_authorization: 'secret' },
  alarm_timers: { kind: null, key: 'technical', about: 'technical' },
  audit_acts: { act: null },
  audit_amendments: { act: null, kind: null },
  audit_checkpoints: { document: null },
  audit_closings: { document: null },
  audit_receipts: { document: 'technical' },
  audit_starts: { document: null },
  card_stock: { uid: 'technical', printed_code: 'technical' },
  certificates: { directory: null, name: null, chain: null, failure: null, owner: null },
  device_commands: { reply_to: null, subject: 'movement', object: 'movement' },
  device_policies: { hash: null, places_hash: null, applied_hash: null, applied_places_hash: null },
  door_modes: { mode: null, source: null, outcome: null, cause: null },
  feed_cursors: { consumer: null, position: null, owner: null },
  feed_epoch_marker: { place: null },
  guessing_alarms: { method: null },
  guest_mails: { language: 'contact', kind: null },
  idempotency_keys: { key: 'technical' },
  installations: { scopes: null, granted_by: null },
  instance_alarms: { type: null, reason: null, place: 'technical', message: 'technical', stage: null },
  invitations: { email: 'contact', email_key: 'contact', role: null, invited_by: null },
  job_rows: { outcome: null, etag: null, detail_ciphertext: 'free' },
  job_inputs: { ciphertext: 'free' },
  job_files: { name: null, ciphertext: 'free' },
  ledger_blocks: { hash: null, document: 'technical' },
  ledger_erasures: { erased_in: null },
  ledger_progress: { position: null },
  living_processes: { owner: null, version: null, knows: null },
  mail_codes: { email_key: 'contact', purpose: null, payload: 'contact' },
  mail_sends: { email_key: 'technical' },
  member_emails: { search_text: 'contact' },
  member_sessions: { ip_address: 'technical', user_agent: 'technical' },
  member_tickets: { email_key: 'contact' },
  members: { search_text: 'identity' },
  oauth_applications: { redirect_uris: null, logo: null, logo_type: null, key_of: null, key_hint: null },
  oauth_artifacts: { kind: null, payload: 'secret', answer: 'secret' },
  organization_deletions: { requested_by: null },
  organization_users: { role: null, duty: null },
  organizations: { logo: null, logo_type: null, logo_hash: null },
  overrides: { mode: null, lasts: null, set_by: 'movement', reason: 'free' },
  passkeys: { name: 'free', public_key: 'technical', transports: 'technical' },
  push_keys: { public_key: null },
  push_subscriptions: { name: 'free', public_key: 'technical' },
  restore_suspensions: { kind: null, how: null, held: 'technical', settled: null },
  restores: { restored_by: 'free', confirmed_by: 'free' },
  retention_progress: { expiry: null, spared_by: null },
  schema_migrations: { name: null },
  service_keys: { word: null },
  set_aside_events: { consumer: null, position: null, error: 'technical' },
  sites: { floor_plan: null, floor_plan_type: null },
  sign_in_failures: { key: 'technical' },
  test_organizations: { template: null },
  user_sessions: { method: null, ip_address: 'technical', user_agent: 'technical' },
  users: {
    email_key: 'contact',
    password_hash: 'secret',
    language: 'contact',
    notification_settings: 'contact',
  },
  virtual_devices: {
    fault: null,
    keypad: 'secret',
    keypad_pause: null,
    slice: 'technical',
    states: null,
    journal: 'movement',
    open_doors: null,
    doors: 'movement',
    alarms: null,
  },
  webhook_batches: { reader: null },
  webhook_bodies: { reader: null, body: 'movement' },
  webhook_lanes: { owner: null },
  unknown_cards: { uid: 'technical' },
  weekly_reports: { zone: null },
  wrong_entries: { method: null },
  zone_tables: { name: null, zone_table: null },
}

/** Returns undefined for a column that nobody has answered for. */
export function personalOfColumn(
  table: string,
  column: string,
  type: string,
): PersonalClass | null | undefined {
  const listed = personalColumns[table]?.[column]
  if (listed !== undefined) return listed
  if (column === 'id' || column.endsWith('_id') || column.endsWith('_ids')) return null
  if (column === 'search_text') return 'free'
  return type === 'bytea' ? 'secret' : undefined
}
