import { nearestGuestLanguage, type Periods, type PermissionRule, resources } from '@gatehouse-access/api'
import type { Database } from '../../../database/db.ts'
import { present } from '../../../flow/present.ts'
import { findObject } from '../../../store/find.ts'
import { periodsInForce } from '../periods.ts'

/** Of each kind: no member has so many. */
const most = 1000

/** Everything that is held about a member, without events. Secrets are not among it: of a PIN only that there is one. */
export async function gatherMember(db: Database, organization_id: string, id: string, now: string) {
  const reach = { organization_id }
  const organization = present(
    await findObject(db, resources.organization, reach, organization_id),
    'the organization',
  )
  const found = present(await findObject(db, resources.member, reach, id), `member ${id}`)
  const { organization_id: _own, tag_ids, ...member } = found
  return {
    organization: organization.name,
    language: nearestGuestLanguage(member.language),
    member: { ...member, tags: await namesOf(db, organization_id, tag_ids) },
    credentials: await findCredentials(db, organization_id, id),
    groups: await findGroups(db, organization_id, id),
    sessions: await findSessions(db, organization_id, id),
    mails: await findMails(db, organization_id, id),
    alarms: await findAlarms(db, organization_id, id),
    periods: periodsInForce(organization, now) satisfies Periods,
  }
}

export type Gathered = Awaited<ReturnType<typeof gatherMember>>

async function namesOf(db: Database, organization_id: string, tag_ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    'SELECT name FROM tags WHERE organization_id = $1 AND id = ANY($2::text[]) ORDER BY name, id',
    [organization_id, tag_ids],
  )
  return rows.map(({ name }) => name)
}

interface Credential {
  readonly kind: string
  readonly id: string
  readonly value: string | null
  readonly created_at: string
  readonly last_used_at: string | null
  readonly is_deleted: boolean
  readonly is_suspended: boolean
  readonly suspended_until: string | null
  readonly suspended_reason: string | null
  readonly metadata: Record<string, string>
  /** What is said of a card that the member has, or has lost. Of one that was given back, it may be about somebody else. */
  readonly card_name: string | null
  readonly card_metadata: Record<string, string> | null
  readonly lost_at: string | null
  readonly lost_reason: string | null
}

const ofAll =
  'created_at, last_used_at, is_deleted, is_suspended, suspended_until, suspended_reason, metadata'

function findCredentials(db: Database, organization_id: string, member_id: string): Promise<Credential[]> {
  return db.query<Credential>(
    `SELECT h.kind, h.id, coalesce(h.email, c.printed_code, c.uid) AS value, h.created_at, h.last_used_at, h.is_deleted, h.is_suspended, h.suspended_until,
       h.suspended_reason, h.metadata, k.name AS card_name, k.metadata AS card_metadata, k.lost_at, k.lost_reason FROM (
       SELECT 'member_email' AS kind, id, email, NULL AS card_id, ${ofAll} FROM member_emails WHERE organization_id = $1 AND member_id = $2
       UNION ALL SELECT 'member_magic_link', id, NULL, NULL, ${ofAll} FROM member_magic_links WHERE organization_id = $1 AND member_id = $2
       UNION ALL SELECT 'member_pin', id, NULL, NULL, ${ofAll} FROM member_pins WHERE organization_id = $1 AND member_id = $2
       UNION ALL SELECT 'member_token', id, NULL, NULL, ${ofAll} FROM member_tokens WHERE organization_id = $1 AND member_id = $2
       UNION ALL SELECT 'member_card', id, NULL, card_id, ${ofAll} FROM member_cards WHERE organization_id = $1 AND member_id = $2
     ) h LEFT JOIN cards c ON c.organization_id = $1 AND c.id = h.card_id
       LEFT JOIN cards k ON k.organization_id = c.organization_id AND k.id = c.id AND (NOT h.is_deleted OR (k.is_lost AND NOT EXISTS (
         SELECT 1 FROM member_cards n WHERE n.organization_id = $1 AND n.card_id = c.id AND (n.created_at, n.id) > (h.created_at, h.id))))
     ORDER BY h.created_at, h.id LIMIT ${5 * most}`,
    [organization_id, member_id],
  )
}

interface Group {
  readonly name: string
  readonly starts_at: string | null
  readonly ends_at: string | null
  readonly created_at: string
  readonly is_deleted: boolean
  readonly metadata: Record<string, string>
  /** The names of doors and sites; null: everything. */
  readonly opens: readonly string[] | null
}

async function findGroups(db: Database, organization_id: string, member_id: string): Promise<Group[]> {
  const rows = await db.query<Omit<Group, 'opens'> & { permissions: PermissionRule[] }>(
    `SELECT g.name, a.starts_at, a.ends_at, a.created_at, a.is_deleted, a.metadata, g.permissions FROM member_group_associations a
     JOIN member_groups g ON g.organization_id = a.organization_id AND g.id = a.member_group_id
     WHERE a.organization_id = $1 AND a.member_id = $2 ORDER BY a.created_at, a.id LIMIT ${most}`,
    [organization_id, member_id],
  )
  const places = await findPlaces(
    db,
    organization_id,
    rows.flatMap(({ permissions }) => permissions),
  )
  return rows.map(({ permissions, ...row }) => ({ ...row, opens: opensOf(permissions, places) }))
}

async function findPlaces(
  db: Database,
  organization_id: string,
  rules: readonly PermissionRule[],
): Promise<Map<string, string[]>> {
  const ids = rules.flatMap(({ gadget_id, site_id, tag_id }) => gadget_id ?? site_id ?? tag_id ?? [])
  const rows = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM gadgets WHERE organization_id = $1 AND id = ANY($2::text[])
     UNION ALL SELECT id, name FROM sites WHERE organization_id = $1 AND id = ANY($2::text[])
     UNION ALL SELECT t.id, g.name FROM unnest($2::text[]) AS t(id) CROSS JOIN LATERAL (
       SELECT name FROM gadgets WHERE organization_id = $1 AND tag_ids @> ARRAY[t.id] AND NOT is_deleted ORDER BY id LIMIT ${most}) g`,
    [organization_id, [...new Set(ids)]],
  )
  const names = new Map<string, string[]>()
  for (const [id, named] of Map.groupBy(rows, ({ id }) => id))
    names.set(
      id,
      named.map(({ name }) => name),
    )
  return names
}

function opensOf(
  rules: readonly PermissionRule[],
  places: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const targets = rules.map(({ gadget_id, site_id, tag_id }) => gadget_id ?? site_id ?? tag_id)
  if (targets.some(id => id == null)) return null
  return [...new Set(targets.flatMap(id => places.get(id ?? '') ?? []))]
}

interface Session {
  readonly created_at: string
  readonly last_used_at: string
  readonly ip_address: string | null
  readonly client: string | null
}

function findSessions(db: Database, organization_id: string, member_id: string): Promise<Session[]> {
  return db.query<Session>(
    `SELECT created_at, last_used_at, ip_address, user_agent AS client FROM member_sessions
     WHERE organization_id = $1 AND member_id = $2 ORDER BY created_at LIMIT ${most}`,
    [organization_id, member_id],
  )
}

interface Mail {
  readonly kind: string
  readonly created_at: string
  readonly language: string | null
  readonly is_waiting: boolean
}

/** A mail is no longer there once it was sent, but invitations have an event, of the same time. */
function findMails(db: Database, organization_id: string, member_id: string): Promise<Mail[]> {
  return db.query<Mail>(
    `SELECT 'invitation' AS kind, e.created_at, g.language, g.id IS NOT NULL AS is_waiting FROM events e
     LEFT JOIN guest_mails g ON g.organization_id = $1 AND g.member_id = $2 AND g.member_email_id = e.object->>'member_email_id' AND g.created_at = e.created_at
     WHERE e.organization_id = $1 AND (e.object->>'member_id') = $2 AND (e.object->>'type') = 'invitation' AND e.verb = 'create'
     UNION ALL SELECT kind, created_at, language, true FROM guest_mails WHERE organization_id = $1 AND member_id = $2 AND kind <> 'invitation'
     ORDER BY created_at LIMIT ${most}`,
    [organization_id, member_id],
  )
}

function findAlarms(db: Database, organization_id: string, member_id: string) {
  return db.query<{ type: string; started_at: string; ended_at: string | null; note: string | null }>(
    `SELECT type, started_at, ended_at, note FROM alarms WHERE organization_id = $1 AND member_id = $2 ORDER BY started_at LIMIT ${most}`,
    [organization_id, member_id],
  )
}
