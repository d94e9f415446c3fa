import { isStillGiven } from '../services/roles/inviters.ts'

/** Tables whose rows move in batches, in this order: what is referenced comes first. */
export const early = [
  'tags',
  'tag_holders',
  'calendars',
  'calendar_days',
  'schedules',
  'sites',
  'devices',
  'gadgets',
  'gadget_triggers',
  'unlock_rules',
  'emergency_plans',
  'emergencies',
  'overrides',
  'member_groups',
  'cards',
  'members',
  'member_emails',
  'member_magic_links',
  'member_pins',
  'member_cards',
  'member_tokens',
  'member_group_associations',
  'erasures',
  'legal_holds',
  'alarms',
  'alarm_timers',
  'alarm_rules',
  'notification_targets',
  'device_groups',
  'device_journals',
  'device_policies',
  'organization_security',
  'events',
  'audit_links',
  'audit_receipts',
  'audit_amendments',
  'audit_acts',
  'audit_starts',
  'retention_days',
] as const

/** Tables whose rows move in the transaction that makes the organization appear. */
export const late = ['organizations', 'card_stock', 'webhooks', 'invitations'] as const

export type MovedTable = (typeof early)[number] | (typeof late)[number]

/** Tables whose rows do not move, and why. */
export const others: Readonly<Record<string, string>> = {
  organization_users: 'made for the users of the receiving installation, by their email',
  weekly_reports: 'stays: users of the receiving installation ask for theirs',
  installations: 'made for the applications that move',
  retention_progress: 'made anew: what expires is looked for from the beginning',
  audit_heads: 'made from the chain that was loaded and verified',
  audit_origins: 'made: the receiving installation vouches for the chain that it verified',
  webhook_lanes: 'made: a webhook gets what happens from now on',
  access_tokens: 'never moves: whoever holds one asks the receiving installation for another',
  oauth_artifacts: 'never moves, like access tokens',
  stream_tickets: 'never moves: it stands for a token or session',
  alarm_tokens: 'never moves: it was sent to a browser of a user of the source',
  member_sessions: 'never moves: guests sign in again',
  idempotency_keys: 'stays: a repeat belongs to the request that it repeats',
  pin_lookups: 'stays: counts requests of a day',
  wrong_entries: 'stays: counts of two days',
  guessing_alarms: 'stays: an alarm of an hour',
  unknown_cards: 'stays: cards of three days that nobody has',
  guest_mails: 'stays: the source sends what it has promised to send',
  webhook_batches: 'stays: the source sends what happened there',
  webhook_bodies: 'stays with its deliveries',
  webhook_deliveries: 'stays: a log of what the source has sent',
  notifications: 'stays: a log of what the source has sent',
  jobs: 'stays: the source does what it has begun',
  job_rows: 'stays with its job',
  job_inputs: 'stays with its job',
  job_files: 'stays with its job',
  alarm_tellings: 'made for alarms that are on: people are told of them from here',
  device_connections: 'stays: devices connect again',
  door_modes: 'stays: devices report again',
  device_commands: 'stays: an outcome comes to whoever asked',
  virtual_devices: 'stays: what a virtual device keeps offline is hashed with the key of the source',
  set_aside_events: 'stays: of the consumers of the source',
  test_organizations: 'stays: whoever made it for tests is a user of the source',
  restore_suspensions: 'empty unless the source is recovered, and then nothing moves',
  restore_devices: 'empty unless the source is recovered, and then nothing moves',
  restore_strangers: 'empty unless the source is recovered, and then nothing moves',
}

/** Recipients of alarms that are no users, or the owners if there are no others. */
function withoutUsers(recipients: string): string {
  return `coalesce((SELECT jsonb_agg(one) FROM jsonb_array_elements(${recipients}) AS one WHERE NOT one ? 'user_id'), '[{"role": "owner"}]')`
}

/** Columns that do not move as they are, and what moves instead. */
const changed: { readonly [Table in MovedTable]?: Readonly<Record<string, string>> } = {
  // No device is connected to the receiving installation yet.
  devices: {
    status: `CASE WHEN secret_hash IS NULL THEN status ELSE status || '{"online": false}'::jsonb END`,
  },
  // Users have other ids in the receiving installation. Those who were told as such are told as owners.
  alarms: { acknowledged_by_user_id: 'NULL' },
  alarm_rules: {
    notify: withoutUsers('notify'),
    escalate: `(SELECT coalesce(jsonb_agg(jsonb_set(step, '{notify}', ${withoutUsers("step->'notify'")})), '[]') FROM jsonb_array_elements(escalate) AS step)`,
  },
  // An address is proved to whoever sends to it.
  notification_targets: { is_verified: `kind <> 'email'` },
  // Above what the device has. Without a hash it is no version that a delta could build on.
  device_policies: { version: 'greatest(version, applied_version) + 1' },
  // Without an inviter, the service itself invites.
  invitations: { invited_by: 'NULL' },
  // Before everything that happened in the receiving installation, in the same order.
  events: { epoch: '0', transaction_id: `'0'::xid8` },
  // Links from before links were sealed. The statement of the receiving installation covers them.
  audit_links: { seal: `coalesce(seal, decode(repeat('00', 20), 'hex'))` },
  audit_receipts: { document: `convert_to(document, 'UTF8')` },
  audit_starts: { document: `convert_to(document, 'UTF8')` },
  // A refresh in progress belongs to the source.
  calendars: { refresh_owner: 'NULL', refresh_owned_until: 'NULL' },
  webhooks: {
    is_enabled: 'false',
    disabled_reason: `CASE WHEN is_enabled THEN 'moved' ELSE disabled_reason END`,
  },
}

/** Columns that get their default in the receiving installation. */
const absent: { readonly [Table in MovedTable]?: (column: string) => boolean } = {
  events: column => column === 'sequence',
  device_policies: column => !['organization_id', 'device_id', 'generation', 'version'].includes(column),
}

const conditions: { readonly [Table in MovedTable]?: string } = {
  invitations: `i.expires_at > now() AND ${isStillGiven}`,
}

const orders: { readonly [Table in MovedTable]?: string } = {
  // Gateways come before the devices that are reached through them.
  devices: 'gateway_device_id IS NOT NULL, id',
  events: 'epoch, transaction_id, sequence',
  audit_links: 'number',
}

export function columnsOf(table: MovedTable, columns: readonly string[]): string[] {
  return columns.filter(column => !absent[table]?.(column))
}

/** Returns the rows of an organization in a table, as they move. */
export function selectRows(table: MovedTable, columns: readonly string[], organization_id: string): string {
  const list = columns.map(column => changed[table]?.[column] ?? column)
  const order = orders[table]
  return `SELECT ${list.join(', ')} ${fromTable(table, organization_id)}${order ? ` ORDER BY ${order}` : ''}`
}

export function fromTable(table: MovedTable, organization_id: string): string {
  const condition = conditions[table]
  return `FROM ${table} i WHERE i.${isOf(table, organization_id)}${condition ? ` AND ${condition}` : ''}`
}

/** Stores rows of this organization only, and events before everything else, whatever a file holds. */
export function storeRows(table: MovedTable, columns: readonly string[], organization_id: string): string {
  const isPast = table === 'events' ? ` AND epoch = 0 AND transaction_id = '0'` : ''
  return `COPY ${table} (${columns.join(', ')}) FROM STDIN WHERE ${isOf(table, organization_id)}${isPast}`
}

function isOf(table: MovedTable, organization_id: string): string {
  const key = table === 'organizations' ? 'id' : 'organization_id'
  return `${key} = '${organization_id.replaceAll("'", "''")}'`
}
