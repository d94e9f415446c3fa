import { mostEmergencies, type Resource, type ResourceKind, resources } from '@gatehouse-access/api'

/** The most of a kind that a holder can have. `statement` returns `count`; `$now` is the service's time. */
export interface Quota {
  readonly most: number
  readonly statement: string
  /** Each process allows this many before it counts. For quotas with many holders that have few each. */
  readonly uncounted?: number
}

/** Counts rows only up to `most`, which bounds the cost of a count. */
function rows(most: number, from: string): Quota {
  return { most, statement: `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${from} LIMIT $most) held` }
}

function ofOrganization(kind: ResourceKind, most: number): Quota {
  return rows(most, `${resources[kind].table} WHERE organization_id = $1 AND NOT is_deleted`)
}

function ofMember(kind: ResourceKind, most: number): Quota {
  return rows(
    most,
    `${resources[kind].table} WHERE organization_id = $1 AND NOT is_deleted AND member_id = $2`,
  )
}

/**
 * Quotas of an organization are named by the kind alone. Those of a user, a member or a grant have the holder
 * as prefix. Deleted objects do not count. For sessions, the oldest ends instead of the newest being refused,
 * because a sign-in must work.
 */
const namedQuotas = {
  site: ofOrganization('site', 10_000),
  device: ofOrganization('device', 50_000),
  gadget: ofOrganization('gadget', 100_000),
  gadget_trigger: ofOrganization('gadget_trigger', 50_000),
  schedule: ofOrganization('schedule', 10_000),
  calendar: ofOrganization('calendar', 50),
  calendar_day: ofOrganization('calendar_day', 250_000),
  'calendar.calendar_day': rows(
    5000,
    'calendar_days WHERE organization_id = $1 AND NOT is_deleted AND calendar_id = $2',
  ),
  unlock_rule: ofOrganization('unlock_rule', 200),
  emergency_plan: ofOrganization('emergency_plan', 50),
  // Those that are active. They are never deleted.
  emergency: rows(mostEmergencies, 'emergencies WHERE organization_id = $1 AND ended_at IS NULL'),
  alarm_rule: ofOrganization('alarm_rule', 200),
  notification_target: ofOrganization('notification_target', 100),
  member_group: ofOrganization('member_group', 20_000),
  tag: ofOrganization('tag', 10_000),
  webhook: ofOrganization('webhook', 500),
  floor_plan_bytes: {
    most: 100_000_000,
    statement:
      'SELECT coalesce(sum(octet_length(floor_plan)), 0)::int AS count FROM sites WHERE organization_id = $1 AND NOT is_deleted',
  },
  card: ofOrganization('card', 3_000_000),
  member: ofOrganization('member', 3_000_000),
  member_email: ofOrganization('member_email', 3_000_000),
  member_magic_link: ofOrganization('member_magic_link', 3_000_000),
  member_pin: ofOrganization('member_pin', 3_000_000),
  member_card: ofOrganization('member_card', 3_000_000),
  member_token: ofOrganization('member_token', 3_000_000),
  member_group_association: ofOrganization('member_group_association', 6_000_000),
  'member.member_email': ofMember('member_email', 200),
  'member.member_magic_link': ofMember('member_magic_link', 200),
  'member.member_pin': ofMember('member_pin', 200),
  'member.member_card': ofMember('member_card', 200),
  'member.member_token': ofMember('member_token', 200),
  'member.member_group_association': ofMember('member_group_association', 1000),
  'member.member_session': rows(50, 'member_sessions WHERE organization_id = $1 AND member_id = $2'),
  user: rows(5000, 'organization_users WHERE organization_id = $1'),
  invitation: rows(1000, 'invitations WHERE organization_id = $1 AND expires_at > $now'),
  installation: rows(1000, 'installations WHERE organization_id = $1'),
  api_key: rows(100, 'oauth_applications WHERE key_of = $1 AND NOT is_deleted'),
  idempotency_key: { ...rows(2_000_000, 'idempotency_keys WHERE organization_id = $1'), uncounted: 1000 },
  waiting_delivery: rows(
    500_000,
    `webhook_deliveries WHERE organization_id = $1 AND webhook_id = $2 AND status = 'pending'`,
  ),
  // Counted in memory by the process that holds the streams.
  stream: { most: 1000, statement: '' },
  'grant.access_token': {
    ...rows(
      2000,
      'access_tokens WHERE organization_id = $1 AND oauth_application_id = $2 AND revoked_at IS NULL AND expires_at > $now',
    ),
    uncounted: 100,
  },
  'user.organization': rows(
    100,
    `organization_users m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 AND m.role = 'owner'`,
  ),
  'user.oauth_application': rows(
    100,
    'oauth_applications WHERE developer_id = $1 AND key_of IS NULL AND NOT is_deleted',
  ),
  'user.logo_bytes': {
    most: 5_000_000,
    statement:
      'SELECT coalesce(sum(octet_length(logo)), 0)::int AS count FROM oauth_applications WHERE developer_id = $1 AND NOT is_deleted',
  },
  'user.push_subscription': rows(10, 'push_subscriptions WHERE user_id = $1'),
  'user.passkey': rows(50, 'passkeys WHERE user_id = $1'),
  'user.user_session': rows(100, 'user_sessions WHERE user_id = $1'),
} as const satisfies Record<string, Quota>

export type QuotaName = keyof typeof namedQuotas

/** Quota of kinds that are not named above. */
const usual = 10_000
const plainQuotas = Object.values(resources as Record<string, Resource>)
  .filter(({ kind, verbs }) => verbs.includes('create') && !(kind in namedQuotas))
  .map(({ kind }) => [kind, ofOrganization(kind as ResourceKind, usual)])

export const declaredQuotas: Readonly<Record<QuotaName, Quota>> = {
  ...namedQuotas,
  ...Object.fromEntries(plainQuotas),
}
export type QuotaLimits = Readonly<Record<QuotaName, number>>

export const defaultQuotas = Object.fromEntries(
  Object.entries(declaredQuotas).map(([name, { most }]) => [name, most]),
) as QuotaLimits

export function isQuotaName(name: string): name is QuotaName {
  return Object.hasOwn(declaredQuotas, name)
}

/** Parses `site=100,user.organization=5` on top of the defaults. Returns undefined for any other syntax. */
export function parseQuotas(text: string): QuotaLimits | undefined {
  const limits: Record<string, number> = {}
  for (const pair of text.split(',')) {
    const [, name = '', limit] = /^\s*([\w.]+)\s*=\s*(\d{1,9})\s*$/.exec(pair) ?? []
    if (!isQuotaName(name)) return undefined
    limits[name] = Number(limit)
  }
  return { ...defaultQuotas, ...limits }
}

/** Renders all quotas as a Markdown table. */
export function describeQuotas(): string {
  const rows = Object.entries(defaultQuotas).map(([name, most]) => {
    const [kind = '', holder = 'organization'] = name.split('.').reverse()
    return `| \`${name}\` | ${most.toLocaleString('en')} | ${kind.replaceAll('_', ' ')}s of ${article(holder)} |`
  })
  return ['| Quota | Default | Of whom |', '|---|---|---|', ...rows, '']
    .join('\n')
    .replaceAll('bytess', 'bytes')
}

function article(holder: string): string {
  return holder === 'organization' ? 'an organization' : `a ${holder}`
}
