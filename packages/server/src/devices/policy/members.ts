import {
  mostRevoked,
  passCarriers,
  resources,
  type SliceMember,
  type SliceValues,
  sliceColumns,
  sliceValues,
} from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { allOf } from '../../flow/all-of.ts'
import { asOfOneMoment } from '../../policy/load.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Vault } from '../../vault/vault.ts'
import type { DevicePlaces } from './device-places.ts'
import { hashCredential } from './keys.ts'

interface Association {
  readonly is_deleted: boolean
  readonly values: SliceValues<'associations'>
}

interface Suspension {
  readonly is_suspended: true
  readonly suspended_until?: string
}

interface Secret {
  readonly id: string
  readonly kind: 'pin' | 'card'
  /** PIN digits or card UID. */
  readonly value: string
  readonly suspension: Suspension | undefined
}

/** A member with everything that any device may need. Held only while slices are built. */
export interface WholeMember {
  readonly id: string
  readonly is_deleted: boolean
  readonly is_erased: boolean
  readonly values: SliceValues<'members'>
  /** Includes deleted associations: devices of those groups may still know the member. */
  readonly associations: Association[]
  readonly secrets: Secret[]
  /** Deleted links, emails and tokens, newest first. */
  readonly revoked: string[]
  /** Suspended ones, which are not deleted. */
  readonly suspended: { readonly id: string; readonly suspended_until?: string }[]
}

/** Reads members as of one moment. Omits ids that do not exist in the organization. */
export function readMembers(
  pool: Database,
  vault: Vault,
  organizationId: string,
  ids: readonly string[],
): Promise<WholeMember[]> {
  return asOfOneMoment(pool, db => readMembersWithin(db, vault, organizationId, ids))
}

/** Runs in the caller's transaction, which defines the moment. */
export async function readMembersWithin(
  db: Database,
  vault: Vault,
  organizationId: string,
  ids: readonly string[],
): Promise<WholeMember[]> {
  const which = [organizationId, ids]
  const [members, associations, pins, cards, revoked] = await allOf([
    db.query<Row & { id: string; is_deleted: boolean; is_erased: boolean }>(
      `SELECT ${memberColumns} FROM members WHERE organization_id = $1 AND id = ANY($2::text[])`,
      which,
    ),
    db.query<Row & { member_id: string; is_deleted: boolean }>(
      `SELECT ${associationColumns} FROM member_group_associations
         WHERE organization_id = $1 AND member_id = ANY($2::text[]) ORDER BY id`,
      which,
    ),
    db.query<Suspendable & { pin_ciphertext: Uint8Array }>(
      `SELECT id, member_id, pin_ciphertext, is_suspended, suspended_until FROM member_pins
         WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND NOT is_deleted ORDER BY id`,
      which,
    ),
    db.query<Suspendable & { uid: string }>(
      `SELECT t.id, t.member_id, c.uid, t.is_suspended, t.suspended_until FROM member_cards t JOIN cards c ON c.organization_id = t.organization_id AND c.id = t.card_id
         WHERE t.organization_id = $1 AND t.member_id = ANY($2::text[]) AND NOT t.is_deleted AND NOT c.is_deleted AND c.uid IS NOT NULL ORDER BY t.id`,
      which,
    ),
    db.query<Suspendable & { is_deleted: boolean }>(
      `SELECT id, member_id, is_deleted, is_suspended, suspended_until FROM (${passTables.map(goneOf).join(' UNION ALL ')}) AS gone ORDER BY created_at DESC, id`,
      which,
    ),
  ])
  const byId = new Map(members.map(row => [row.id, emptyMember(row)]))
  for (const row of associations) {
    const values = sliceValues(resources.member_group_association, row)
    byId.get(row.member_id)?.associations.push({ is_deleted: row.is_deleted, values })
  }
  for (const { id, member_id, pin_ciphertext, ...row } of pins) {
    const value = vault.decrypt(pin_ciphertext, sealedAs.member_pin(id))
    byId.get(member_id)?.secrets.push({ id, kind: 'pin', value, suspension: suspensionOf(row) })
  }
  for (const { id, member_id, uid, ...row } of cards)
    byId.get(member_id)?.secrets.push({ id, kind: 'card', value: uid, suspension: suspensionOf(row) })
  for (const { id, member_id, is_deleted, suspended_until } of revoked)
    if (is_deleted) byId.get(member_id)?.revoked.push(id)
    else byId.get(member_id)?.suspended.push({ id, ...(suspended_until !== null && { suspended_until }) })
  return [...byId.values()]
}

const memberColumns = [
  'id',
  ...sliceColumns(resources.member),
  'is_deleted',
  'erased_at IS NOT NULL AS is_erased',
].join(', ')
const ofAssociation = sliceColumns(resources.member_group_association)
const associationColumns = ['id', 'member_id', ...ofAssociation, 'is_deleted'].join(', ')

function emptyMember(row: Pick<WholeMember, 'id' | 'is_deleted' | 'is_erased'>): WholeMember {
  const { id, is_deleted, is_erased } = row
  const values = sliceValues(resources.member, row)
  return { id, is_deleted, is_erased, values, associations: [], secrets: [], revoked: [], suspended: [] }
}

interface Suspendable {
  readonly id: string
  readonly member_id: string
  readonly is_suspended: boolean
  readonly suspended_until: string | null
}

function suspensionOf({
  is_suspended,
  suspended_until,
}: Pick<Suspendable, 'is_suspended' | 'suspended_until'>): Suspension | undefined {
  return is_suspended ? { is_suspended, ...(suspended_until !== null && { suspended_until }) } : undefined
}

/** Deleting the carrier of a pass revokes the pass, and suspending it suspends the pass. */
const passTables = passCarriers.map(({ table }) => table)

function goneOf(table: string): string {
  return `SELECT id, member_id, created_at, is_deleted, is_suspended, suspended_until FROM ${table}
    WHERE organization_id = $1 AND (is_deleted OR is_suspended) AND member_id = ANY($2::text[])`
}

/** Returns what a device receives of a member, or undefined if the member does not concern it. */
export function sliceMember(
  member: WholeMember,
  places: DevicePlaces,
  key: Uint8Array,
): SliceMember | undefined {
  const { knows_suspensions: isWhole } = places
  if (member.is_deleted || (!isWhole && member.values.is_suspended)) return undefined
  const associations = member.associations.flatMap(({ is_deleted, values }) =>
    !is_deleted && places.groups.has(values.member_group_id) ? [values] : [],
  )
  if (associations.length === 0) return undefined
  const revoked = isWhole ? member.revoked : [...member.suspended.map(({ id }) => id), ...member.revoked]
  const takes = { pin: places.takes_pins, card: places.takes_cards }
  return {
    ...member.values,
    associations,
    credentials: member.secrets
      .filter(({ kind, suspension }) => takes[kind] && (isWhole || !suspension))
      .map(({ id, kind, value, suspension }) => ({
        id,
        kind,
        hash: hashCredential(key, kind, value),
        ...suspension,
      })),
    ...(revoked.length > 0 && { revoked: revoked.slice(0, mostRevoked) }),
    ...(isWhole && member.suspended.length > 0 && { suspended: member.suspended.slice(0, mostRevoked) }),
  }
}

/** Returns the ids of members with a live association to one of the groups. */
export async function findMembersOf(
  db: Database,
  organizationId: string,
  groups: readonly string[],
): Promise<string[]> {
  if (groups.length === 0) return []
  const rows = await db.query<{ member_id: string }>(
    `SELECT DISTINCT member_id FROM member_group_associations
     WHERE organization_id = $1 AND NOT is_deleted AND member_group_id = ANY($2::text[])`,
    [organizationId, groups],
  )
  return rows.map(row => row.member_id).sort()
}

/** Pages `findMembersOf` by id, so that a million ids are never held at once. */
export async function findNextMembersOf(
  db: Database,
  organizationId: string,
  groups: readonly string[],
  after: string,
  most: number,
): Promise<string[]> {
  if (groups.length === 0) return []
  const rows = await db.query<{ member_id: string }>(
    `SELECT DISTINCT member_id FROM member_group_associations
     WHERE organization_id = $1 AND NOT is_deleted AND member_group_id = ANY($2::text[]) AND member_id > $3
     ORDER BY member_id LIMIT $4`,
    [organizationId, groups, after, most],
  )
  return rows.map(row => row.member_id)
}

/**
 * Returns those members that are, or ever were, in one of the groups, and those who were erased: once that is done, nothing says
 * any more which groups they were in.
 */
export async function findConcerned(
  db: Database,
  organizationId: string,
  members: readonly string[],
  groups: readonly string[],
): Promise<string[]> {
  if (members.length === 0) return []
  const rows = await db.query<{ member_id: string }>(
    `SELECT member_id FROM member_group_associations
     WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND member_group_id = ANY($3::text[])
     UNION SELECT id FROM members WHERE organization_id = $1 AND id = ANY($2::text[]) AND erased_at IS NOT NULL`,
    [organizationId, members, groups],
  )
  return rows.map(row => row.member_id)
}

/** Returns the devices that erasures wait for, by member: also those that are not sent the groups of the member any more. */
export async function findHoldingErased(
  db: Database,
  organizationId: string,
  members: readonly WholeMember[],
): Promise<Map<string, Set<string>>> {
  const ids = members.filter(member => member.is_erased).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ member_id: string; device_ids: string[] }>(
    'SELECT member_id, device_ids FROM erasures WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND started_at IS NOT NULL',
    [organizationId, ids],
  )
  return new Map(rows.map(row => [row.member_id, new Set(row.device_ids)]))
}

/** Returns the groups that the members are, or ever were, in. */
export async function findGroupsOf(
  db: Database,
  organizationId: string,
  members: readonly string[],
): Promise<Set<string>> {
  if (members.length === 0) return new Set()
  const rows = await db.query<{ member_group_id: string }>(
    `SELECT DISTINCT member_group_id FROM member_group_associations WHERE organization_id = $1 AND member_id = ANY($2::text[])`,
    [organizationId, members],
  )
  return new Set(rows.map(row => row.member_group_id))
}
