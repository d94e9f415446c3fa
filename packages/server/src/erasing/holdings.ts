/**
 * What becomes of a row that holds a member, when the member is erased. `$1` is the organization, `$2` the member.
 *
 * `deleted`, `emptied`: rows that meet the condition, in batches; an emptied row must not meet it any more. `at_last`: only once
 * no device needs it any more to be told to forget the member.
 */
interface Rows {
  readonly where: string
  readonly emptied?: string
  readonly at_last?: true
  readonly are_files?: true
}

/** `apart`: by code of its own. Otherwise why a table with personal data holds no member. */
export type Holding = Rows | { readonly apart: string } | { readonly none: string }

const ofMember: Rows = { where: 'organization_id = $1 AND member_id = $2' }
/** Of what can only be found by looking: rows that are few, or live for moments. */
const names = (column: string) => `position($2 IN ${column}::text) > 0`
const without = (column: string) =>
  `coalesce((SELECT jsonb_agg(one) FROM jsonb_array_elements(${column}) AS one WHERE position($2 IN one::text) = 0), '[]')`

const place = { none: 'describes a place or its equipment' }
const rule = { none: 'describes rules, and names nobody' }
const account = { none: 'belongs to an account of the console, or to an application' }
const service = { none: 'belongs to the installation' }

/** What rows of jobs name a member by: imports of associations and cards name these. */
export const ownIds = `ARRAY(SELECT $2 UNION ALL SELECT a.id FROM member_group_associations a WHERE a.organization_id = $1 AND a.member_id = $2
  UNION ALL SELECT unnest(e.card_ids) FROM erasures e WHERE e.organization_id = $1 AND e.member_id = $2)`

const erasedAt = `(SELECT coalesce(m.erased_at, 'infinity') FROM members m WHERE m.organization_id = $1 AND m.id = $2)`

/** What is begun so soon after an erasure may still have read the member: its first step takes a moment to commit, and clocks differ. */
export const settling = `interval '1 minute'`

/** Jobs that hold a member: exports from before, of which nobody knows whom they hold, and those that made or changed the member. */
const holdingJobs = `(SELECT j.id FROM jobs j WHERE j.organization_id = $1 AND j.key_ciphertext IS NOT NULL AND j.ended_at IS NOT NULL AND (
  (j.type = 'export' AND j.created_at <= ${erasedAt} + ${settling})
  OR ${names('j.settings')} OR EXISTS (SELECT 1 FROM job_rows r WHERE r.organization_id = $1 AND r.job_id = j.id AND r.object_id = ANY(${ownIds}))))`

/** Imports of people from before: rows that were refused, and those that a dry run would have created, do not say whom they name. */
const importsBefore = (more: string) =>
  `(SELECT j.id FROM jobs j WHERE j.organization_id = $1 AND ${ofPeopleBefore} AND ${more})`

/** One that was started from a dry run has its file. */
const ofPeopleBefore = `j.key_ciphertext IS NOT NULL AND j.type = 'import' AND j.settings->'import'->>'kind' IS DISTINCT FROM 'calendar_days'
  AND coalesce((SELECT p.created_at FROM jobs p WHERE p.organization_id = $1 AND p.id = j.parent_job_id), j.created_at) <= ${erasedAt}`

export const waitingImports = `j.state = 'awaiting' AND j.undo_of_job_id IS NULL AND ${ofPeopleBefore}`

const isRead = `EXISTS (SELECT 1 FROM jobs r WHERE r.organization_id = $1 AND r.input_job_id = j.id AND r.state IN ('queued', 'running', 'awaiting'))`

const namedInJob = `(${['settings', 'notices', 'error', 'cursor', 'maker'].map(names).join(' OR ')})`
const ifNamed = (column: string, left: string) =>
  `${column} = CASE WHEN ${namedInJob} THEN ${left} ELSE ${column} END`

/** What was typed to say of whom a job is about, such as a part of a name. Once it has ended, nothing reads it any more. */
const typedBefore = `(type IN ('import', 'export', 'bulk') AND state <> 'awaiting' AND settings <> '{}' AND created_at <= ${erasedAt})`

/** Every table that holds personal data, by declaration or by `personalColumns`. A test names those that are missing. */
export const holdings: Readonly<Record<string, Holding>> = {
  members: { apart: 'emptied in the first step; its ID and the dates of creation and erasure stay' },
  // Before the cards of the member are gone.
  unknown_cards: {
    where: `organization_id = $1 AND uid IN (SELECT c.uid FROM member_cards h JOIN cards c ON c.organization_id = h.organization_id AND c.id = h.card_id
      WHERE h.organization_id = $1 AND h.member_id = $2)`,
  },
  member_emails: ofMember,
  member_magic_links: ofMember,
  member_pins: ofMember,
  member_cards: ofMember,
  member_tokens: ofMember,
  member_sessions: ofMember,
  guest_mails: ofMember,
  tag_holders: { apart: 'in the first step, with the tags of the member' },
  mail_codes: { apart: 'by the addresses of the member, in the first step' },
  mail_sends: { none: 'holds keyed hashes' },
  member_tickets: { apart: 'by the addresses of the member, in the first step' },
  cards: { apart: 'emptied in the first step if the erasure includes cards' },
  events: { apart: 'in batches, with amendments of the audit chain' },
  webhook_bodies: { apart: 'with the events, and where an expand holds the member' },
  webhook_deliveries: { apart: 'with their bodies' },
  set_aside_events: { apart: 'with the events' },
  idempotency_keys: { apart: 'answers that name the member' },
  alarms: {
    where: 'organization_id = $1 AND is_deleted IN (false, true) AND member_id = $2',
    emptied: `member_id = NULL, note = NULL, metadata = '{}', condition_key = 'erased ' || id, state = 'closed', is_over = true,
      ended_at = coalesce(ended_at, last_occurred_at), is_flapping = false, snoozed_until = NULL, closes_at = NULL`,
  },
  alarm_timers: { where: `organization_id = $1 AND (${names('key')} OR ${names('about')})` },
  notifications: { none: 'says when somebody was told of an alarm; messages are not stored' },
  overrides: {
    where: `organization_id = $1 AND set_by->>'member_id' = $2`,
    emptied: `set_by = '{}', reason = NULL`,
  },
  unlock_rules: {
    where: `organization_id = $1 AND (arrivals <> '[]' OR departures <> '[]') AND (${names('arrivals')} OR ${names('departures')})`,
    emptied: `arrivals = ${without('arrivals')}, departures = ${without('departures')}`,
  },
  device_commands: {
    where: `organization_id = $1 AND subject->>'member_id' = $2`,
    emptied: `subject = '{}'`,
  },
  virtual_devices: { apart: 'one that is offline forgets the member once it is back, as every device' },
  restore_strangers: ofMember,
  restore_suspensions: { where: `organization_id = $1 AND (id = $2 OR ${names('held')})` },
  legal_holds: {
    where: 'organization_id = $1 AND member_ids @> ARRAY[$2]',
    emptied: 'member_ids = array_remove(member_ids, $2)',
  },
  // In this order: the rows tell which jobs hold the member.
  job_files: {
    where: `organization_id = $1 AND (job_id IN ${holdingJobs} OR job_id IN ${importsBefore("j.is_dry_run AND j.state <> 'running'")}
      OR (name = 'errors.csv' AND job_id IN ${importsBefore('j.ended_at IS NOT NULL')}))`,
    are_files: true,
  },
  job_inputs: {
    where: `organization_id = $1 AND (job_id IN ${holdingJobs} OR job_id IN ${importsBefore(`j.ended_at IS NOT NULL AND NOT ${isRead}`)})`,
    are_files: true,
  },
  job_rows: {
    // Each half has an index of its own.
    where: `(organization_id, job_id, number) IN (
      SELECT r.organization_id, r.job_id, r.number FROM job_rows r WHERE r.organization_id = $1 AND r.object_id = ANY(${ownIds}) AND r.job_id IN ${holdingJobs}
      UNION ALL SELECT r.organization_id, r.job_id, r.number FROM job_rows r WHERE r.organization_id = $1 AND r.object_id IS NULL
        AND r.detail_ciphertext IS NOT NULL AND r.job_id IN ${importsBefore('j.ended_at IS NOT NULL')})`,
    emptied: 'object_id = NULL, etag = NULL, detail_ciphertext = NULL',
  },
  jobs: {
    where: `organization_id = $1 AND ended_at IS NOT NULL AND (${namedInJob} OR ${typedBefore})`,
    emptied: `settings = '{}', ${ifNamed('notices', `'{}'`)}, ${ifNamed('error', 'NULL')}, ${ifNamed('cursor', 'NULL')}, ${ifNamed('maker', `'{}'`)}`,
  },
  // Rows of jobs are found by them. Which devices have to forget the member is known by its groups.
  member_group_associations: { ...ofMember, at_last: true },
  alarm_rules: rule,
  calendar_days: rule,
  calendars: rule,
  emergencies: { none: 'says what was started; who started it stands in its events' },
  emergency_plans: rule,
  gadget_triggers: rule,
  member_groups: rule,
  schedules: rule,
  tags: rule,
  devices: place,
  gadgets: place,
  sites: place,
  products: place,
  organizations: place,
  card_stock: { none: 'lists cards of the operator, whoever has them' },
  invitations: account,
  notification_targets: account,
  oauth_applications: account,
  oauth_artifacts: account,
  passkeys: account,
  push_subscriptions: account,
  user_sessions: account,
  users: account,
  webhooks: account,
  acme_challenges: service,
  audit_receipts: service,
  instance_alarms: service,
  ledger_blocks: { none: 'holds keyed hashes' },
  restores: service,
  sign_in_failures: { none: 'holds keyed hashes' },
}

export function isOfRows(holding: Holding): holding is Rows {
  return 'where' in holding
}

/** The tables that an erasure changes. */
export const touchedTables: readonly string[] = Object.entries(holdings)
  .filter(([, holding]) => !('none' in holding))
  .map(([table]) => table)

/** Of these, those that it changes once no device needs them any more. */
export const lastTables: readonly string[] = Object.entries(holdings)
  .filter(([, holding]) => isOfRows(holding) && holding.at_last)
  .map(([table]) => table)
