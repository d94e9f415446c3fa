import type { Resource } from '@gatehouse-access/api'
import type { Row } from '../database/db.ts'
import type { Bounds } from './caller.ts'
import type { Bind } from './statement.ts'

interface Bound {
  readonly reach: { readonly organization_id: string; readonly bounds?: Bounds | undefined }
}

/** Part of the shape of a statement, see `statementsByShape`. */
export function boundShape({ bounds }: { readonly bounds?: Bounds | undefined }): string {
  return bounds ? ' bound' : ''
}

/**
 * What a caller whose role is limited to some sites sees of each kind, as conditions on `t`. Whoever sees an
 * object may read all of it. Nothing is seen of kinds that nobody has decided about.
 */
export function boundConditions(bind: Bind<Bound>, { kind }: Resource): string[] {
  const sites = () => bind(({ reach }) => reach.bounds?.site_ids ?? [], 'text[]')
  const groups = () => bind(({ reach }) => reach.bounds?.member_group_ids ?? [], 'text[]')
  const tenant = () => bind(({ reach }) => reach.organization_id)
  switch (kind) {
    case 'organization':
    case 'product':
    // Words of the whole organization, whoever uses them.
    case 'tag':
      return []
    case 'site':
      return [`t.id = ANY(${sites()})`]
    case 'device':
    case 'gadget':
    case 'gadget_trigger':
      return [`t.site_id = ANY(${sites()})`]
    case 'member_group':
      return [`t.id = ANY(${groups()})`]
    case 'schedule':
      return [`t.id = ANY(${bind(({ reach }) => reach.bounds?.schedule_ids ?? [], 'text[]')})`]
    case 'member':
      return [`t.id IN (${members(tenant(), sites(), groups())})`]
    case 'member_email':
    case 'member_magic_link':
    case 'member_pin':
    case 'member_card':
    case 'member_token':
      return [`t.member_id IN (${members(tenant(), sites(), groups())})`]
    case 'member_group_association':
      return [`t.member_group_id = ANY(${groups()})`]
    case 'card':
      return [`t.id IN (${cards(tenant(), members(tenant(), sites(), groups()))})`]
    case 'emergency_plan':
    case 'emergency':
      return [targetsWithin(sites())]
    case 'event':
      return [happenedAt(tenant(), sites())]
    default:
      return ['false']
  }
}

/** The members who have or could have access at the sites, and those whom a front desk of the sites created. */
function members(tenant: string, sites: string, groups: string): string {
  return `SELECT a.member_id FROM member_group_associations a WHERE a.organization_id = ${tenant} AND a.member_group_id = ANY(${groups}) AND NOT a.is_deleted
    UNION ALL SELECT d.id FROM members d WHERE d.organization_id = ${tenant} AND d.desk_site_ids && ${sites}`
}

/** The cards that these members have, and those that were lost since they had them: whoever had one last lost it. */
function cards(tenant: string, members: string): string {
  const held = `h.organization_id = ${tenant} AND h.member_id IN (${members})`
  return `SELECT h.card_id FROM member_cards h WHERE ${held} AND NOT h.is_deleted
    UNION ALL SELECT h.card_id FROM member_cards h JOIN cards x ON x.organization_id = h.organization_id AND x.id = h.card_id AND x.is_lost
    WHERE ${held} AND h.is_deleted AND NOT EXISTS (SELECT 1 FROM member_cards l
      WHERE l.organization_id = h.organization_id AND l.is_deleted AND l.card_id = h.card_id AND l.created_at > h.created_at)`
}

/** An emergency that concerns other sites too is none of theirs. Tags are of the whole organization. */
function targetsWithin(sites: string): string {
  const beyond = (ids: string) =>
    `EXISTS (SELECT 1 FROM ${ids} AS x(id) WHERE NOT EXISTS (SELECT 1 FROM gadgets g WHERE g.organization_id = t.organization_id AND g.id = x.id AND g.site_id = ANY(${sites})))`
  return `(coalesce(jsonb_array_length(t.targets->'tag_ids'), 0) = 0
    AND ARRAY(SELECT jsonb_array_elements_text(t.targets->'site_ids')) <@ ${sites}
    AND NOT ${beyond(`jsonb_array_elements_text(t.targets->'gadget_ids')`)} AND NOT ${beyond('unnest(t.unlocked_gadget_ids)')})`
}

const [gadget, device, site] = [
  `(t.object->>'gadget_id')`,
  `(t.object->>'device_id')`,
  `(t.object->>'site_id')`,
]

/** In the collation of the indexes on events: those on expressions do not have the one of ids. */
const placesOf = (table: string, tenant: string, sites: string) =>
  `SELECT p.id COLLATE "default" FROM ${table} p WHERE p.organization_id = ${tenant} AND p.site_id = ANY(${sites})`

/** An event is where its gadget is now, else where its device is, else at its site. Others are nowhere. */
function happenedAt(tenant: string, sites: string): string {
  return `(${gadget} IN (${placesOf('gadgets', tenant, sites)})
    OR (${gadget} IS NULL AND ${device} IN (${placesOf('devices', tenant, sites)}))
    OR (${gadget} IS NULL AND ${device} IS NULL AND ${site} = ANY(${sites})))`
}

/**
 * The same for a list: each gadget, device and site has an index of its events in their order. So the list reads
 * a page of each and merges them, however many events the organization has. `select` writes such a page.
 */
export function eventsByPlace(bind: Bind<Bound>, select: (extra: string[]) => string): string {
  const sites = () => bind(({ reach }) => reach.bounds?.site_ids ?? [], 'text[]')
  const tenant = () => bind(({ reach }) => reach.organization_id)
  const pages = [
    [placesOf('gadgets', tenant(), sites()), [`${gadget} = k.id`]],
    [placesOf('devices', tenant(), sites()), [`${device} = k.id`, `${gadget} IS NULL`]],
    [`SELECT unnest(${sites()})`, [`${site} = k.id`, `${gadget} IS NULL`, `${device} IS NULL`]],
  ] as const
  return pages
    .map(([keys, extra]) => `SELECT t.* FROM (${keys}) AS k(id) CROSS JOIN LATERAL (${select([...extra])}) t`)
    .join(' UNION ALL ')
}

interface Rule {
  readonly site_id?: string | null
  readonly gadget_id?: string | null
  readonly tag_id?: string | null
  readonly member_group_id?: string | null
}

/** Takes out of a row what names other sites. Rows of kinds that the roles change stay as they are. */
export function hideBeyond<T extends object>({ kind }: Resource, bounds: Bounds | undefined, row: T): T {
  if (!bounds) return row
  if (kind === 'member_group') return { ...row, permissions: rulesWithin(bounds, listIn(row, 'permissions')) }
  if (kind === 'event') return { ...row, ...eventWithin(bounds, row) }
  if (kind === 'emergency' || kind === 'emergency_plan')
    return { ...row, exempt_member_group_ids: groupsWithin(bounds, listIn(row, 'exempt_member_group_ids')) }
  return row
}

function listIn<T>(row: object, name: string): readonly T[] {
  const value = (row as Row)[name]
  return Array.isArray(value) ? value : []
}

function rulesWithin(bounds: Bounds, rules: readonly Rule[]): Rule[] {
  return rules.filter(
    ({ site_id, gadget_id, tag_id, member_group_id }) =>
      (site_id == null || bounds.site_ids.includes(site_id)) &&
      (gadget_id == null || bounds.gadget_ids.has(gadget_id)) &&
      (tag_id == null || bounds.tag_ids.has(tag_id)) &&
      (member_group_id == null || bounds.member_group_ids.includes(member_group_id)),
  )
}

function groupsWithin({ member_group_ids }: Bounds, ids: readonly string[]): string[] {
  return ids.filter(id => member_group_ids.includes(id))
}

/** Rules that were tried or decided, without those of groups that reach none of the sites. */
export function triedWithin<T extends { readonly member_group_id: string }>(
  { member_group_ids }: Bounds,
  rules: readonly T[],
): T[] {
  return rules.filter(rule => member_group_ids.includes(rule.member_group_id))
}

interface Decided {
  readonly rules?: readonly { readonly member_group_id: string }[] | null
}

/** Events keep how it was decided, rule by rule. What was changed in an edit may name anything, so it is left out. */
export function eventWithin(bounds: Bounds, event: object): object {
  const { object, explanation } = event as { object: Row; explanation?: Decided | null }
  const { changes: _, decided_by, ...rest } = object as Row & { decided_by?: Decided | null }
  return {
    object: { ...rest, ...(decided_by && { decided_by: decidedWithin(bounds, decided_by) }) },
    explanation: explanation ? decidedWithin(bounds, explanation) : (explanation ?? null),
  }
}

function decidedWithin(bounds: Bounds, decided: Decided): Decided {
  return decided.rules ? { ...decided, rules: triedWithin(bounds, decided.rules) } : decided
}
