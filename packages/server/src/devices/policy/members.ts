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

interface Secret {
  readonly id: string
  readonly kind: 'pin' | 'card'
  /** PIN digits or card UID. */
  readonly value: string
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
    db.query<{ id: string; member_id: string; pin_ciphertext: Uint8Array }>(
      `SELECT id, member_id, pin_ciphertext FROM member_pins
         WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND NOT is_deleted ORDER BY id`,
      which,
    ),
    db.query<{ id: string; member_id: string; uid: string }>(
      `SELECT t.id, t.member_id, c.uid FROM member_cards t JOIN cards c ON c.organization_id = t.organization_id AND c.id = t.card_id
         WHERE t.organization_id = $1 AND t.member_id = ANY($2::text[]) AND NOT t.is_deleted AND NOT c.is_deleted AND c.uid IS NOT NULL ORDER BY t.id`,
      which,
    ),
    db.query<{ id: string; member_id: string }>(
      `SELECT id, member_id FROM (${passTables.map(deletedOf).join(' UNION ALL ')}) AS gone ORDER BY created_at DESC, id`,
      which,
    ),
  ])
  const byId = new Map(members.map(row => [row.id, emptyMember(row)]))
  for (const row of associations) {
    const values = sliceValues(resources.member_group_association, row)
    byId.get(row.member_id)?.associations.push({ is_deleted: row.is_deleted, values })
  }
  for (const { id, member_id, pin_ciphertext } of pins) {
    const value = vault.decrypt(pin_ciphertext, sealedAs.member_pin(id))
    byId.get(member_id)?.secrets.push({ id, kind: 'pin', value })
  }
  for (const { id, member_id, uid } of cards)
    byId.get(member_id)?.secrets.push({ id, kind: 'card', value: uid })
  for (const { id, member_id } of revoked) byId.get(member_id)?.revoked.push(id)
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
  return { id, is_deleted, is_erased, values, associations: [], secrets: [], revoked: [] }
}

/** Deleting the carrier of a pass revokes the pass. */
const passTables = passCarriers.map(({ table }) => table)

function deletedOf(table: string): string {
  return `SELECT id, member_id, created_at FROM ${table} WHERE organization_id = $1 AND is_deleted AND member_id = ANY($2::text[])`
}

/** Returns what a device receives of a member, or undefined if the member does not concern it. */
export function sliceMember(
  member: WholeMember,
  places: DevicePlaces,
  key: Uint8Array,
): SliceMember | undefined {
  if (member.is_deleted) return undefined
  const associations = member.associations.flatMap(({ is_deleted, values }) =>
    !is_deleted && places.groups.has(values.member_group_id) ? [values] : [],
  )
  if (associations.length === 0) return undefined
  const takes = { pin: places.takes_pins, card: places.takes_cards }
  return {
    ...member.values,
    associations,
    credentials: member.secrets
      .filter(({ kind }) => takes[kind])
      .map(({ id, kind, value }) => ({ id, kind, hash: hashCredential(key, kind, value) })),
    ...(member.revoked.length > 0 && { revoked: member.revoked.slice(0, mostRevoked) }),
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

/** Returns those members that are, or ever were, in one of the groups. */
export async function findConcerned(
  db: Database,
  organizationId: string,
  members: readonly string[],
  groups: readonly string[],
): Promise<string[]> {
  if (members.length === 0 || groups.length === 0) return []
  const rows = await db.query<{ member_id: string }>(
    `SELECT DISTINCT member_id FROM member_group_associations
     WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND member_group_id = ANY($3::text[])`,
    [organizationId, members, groups],
  )
  return rows.map(row => row.member_id)
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
