import { isDeepStrictEqual } from 'node:util'
import { changesSomething, invalid, RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { logHappening } from '../../store/write.ts'
import {
  endOwnApplications,
  listOwnApplications,
  type OwnApplication,
  requireKeeper,
} from '../applications/own-applications.ts'
import type { Work } from '../objects/context.ts'
import { endInvitationsOf } from '../roles/inviters.ts'
import { checkSites, columnsOf } from '../roles/positions.ts'
import { findPosition, isSiteRole, ownRole, ownSignOut, type Position, type Role } from '../roles/roles.ts'
import { endInstallations, passInstallationsOn } from './pass-on.ts'

interface OrganizationUser {
  readonly id: string
  readonly name: string | null
  readonly email: string
  readonly role: Role
  /** The sites that the role is limited to. Null for all of the organization. */
  readonly site_ids: readonly string[] | null
  readonly created_at: string
  readonly has_second_factor?: boolean
}

/** Only users who can require a second factor see who lacks one. */
export async function listUsers(
  db: Database,
  organization_id: string,
  own_role: Role,
): Promise<OrganizationUser[]> {
  const rows = await db.query<Required<OrganizationUser>>(
    `SELECT u.id, u.name, u.email, ${ownRole} AS role, m.site_ids, m.created_at, ${hasSecondFactor} AS has_second_factor
     FROM organization_users m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 ORDER BY m.created_at, u.id`,
    [organization_id],
  )
  return own_role === 'viewer' ? rows.map(({ has_second_factor: _, ...row }) => row) : rows
}

/** Expects the user as `u`. */
export const hasSecondFactor = `(EXISTS (SELECT 1 FROM totp_keys t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL)
       OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`

export async function addUser(work: Work, user_id: string, position: Position): Promise<void> {
  await work.context.quotas.take(work.db, 'user', [work.caller.organization_id])
  const rows = await work.db.query(
    `INSERT INTO organization_users (organization_id, user_id, created_at, role, duty, site_ids, signed_out_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING role`,
    [work.caller.organization_id, user_id, work.now, ...columnsOf(position)],
  )
  work.db.afterCommit('rights_changed')
  if (rows.length > 0) await logHappening(work, 'create', { type: 'user', user_id })
}

/** What happens to the applications of a user who loses rights. */
interface LostRights {
  readonly ended: readonly OwnApplication[]
  /** The names of the applications that continue on behalf of the owners. */
  readonly passed: readonly string[]
}

/**
 * Only owners appoint and remove owners. A new viewer loses their own applications that write, somebody with a
 * role that reaches a part of the API all of them; what else these authorized passes to the owners.
 */
export async function changeRole(
  work: Work,
  own_role: Role,
  user_id: string,
  position: Position,
  keep: readonly string[] = [],
): Promise<LostRights> {
  const { role, site_ids } = position
  requireKeeper(work, own_role, user_id, keep)
  const { role: before, site_ids: sites_before } = await holdUser(work, user_id)
  if ((before === 'owner' || role === 'owner') && own_role !== 'owner') throw ownersOnly()
  if (before === 'owner' && role !== 'owner') await refuseLastOwner(work)
  await checkSites(work, position)
  const { organization_id } = work.caller
  const changes = [
    ...(before === role ? [] : [{ field: 'role', before, after: role }]),
    ...(isDeepStrictEqual(sites_before, site_ids)
      ? []
      : [{ field: 'site_ids', before: sites_before, after: site_ids }]),
  ]
  if (changes.length > 0) {
    await storePosition(work, user_id, position)
    await logHappening(work, 'edit', { type: 'user', user_id, changes })
    await endInvitationsOf(work, user_id)
  }
  const isLess = role === 'viewer' || isSiteRole(role)
  const own = isLess ? await listOwnApplications(work.db, organization_id, user_id) : []
  const lost = isSiteRole(role) ? own : own.filter(({ scopes }) => changesSomething(scopes))
  const ended = await endOwnApplications(work, lost, keep)
  return { ended, passed: isSiteRole(role) ? await passInstallationsOn(work, user_id, before) : [] }
}

/** Keeps since when the user is signed out, in the column that counts for the new role. */
async function storePosition({ db, caller }: Work, user_id: string, position: Position): Promise<void> {
  const [role, duty, site_ids, signed_out_at] = columnsOf(position)
  await db.query(
    `UPDATE organization_users m SET role = $3, duty = $4, site_ids = $5,
       signed_out_at = coalesce($6::timestamptz, ${ownSignOut}),
       duty_signed_out_at = CASE WHEN $4::text IS NULL THEN NULL ELSE ${ownSignOut} END
     WHERE m.organization_id = $1 AND m.user_id = $2`,
    [caller.organization_id, user_id, role, duty, site_ids, signed_out_at],
  )
  db.afterCommit('rights_changed')
}

/**
 * Removes a user, or lets the user leave. The user's own applications end, except those that an owner keeps.
 * Others that the user authorized continue on behalf of the owners, or end too if the organization is deleted
 * and nobody watches them. Deleting the membership first waits for any authorization in progress, which locks
 * it, so that the later statements see its result.
 */
export async function removeUser(
  work: Work,
  own_role: Role,
  user_id: string,
  keep: readonly string[] = [],
): Promise<LostRights> {
  requireKeeper(work, own_role, user_id, keep)
  const { role, is_deleted } = await holdUser(work, user_id)
  if (role === 'owner' && own_role !== 'owner') throw ownersOnly()
  if (role === 'owner' && !is_deleted) await refuseLastOwner(work)
  const place = [work.caller.organization_id, user_id] as const
  await work.db.query('DELETE FROM organization_users WHERE organization_id = $1 AND user_id = $2', place)
  work.db.afterCommit('rights_changed')
  const ended = await endOwnApplications(work, await listOwnApplications(work.db, ...place), keep)
  const passed = is_deleted
    ? await endInstallations(work, user_id)
    : await passInstallationsOn(work, user_id, role)
  await logHappening(work, 'delete', { type: 'user', user_id })
  await endInvitationsOf(work, user_id)
  return { ended, passed }
}

/** Makes another user an owner and the current one an administrator, in one transaction. */
export async function transferOwnership(work: Work, from: string, to: string): Promise<void> {
  if (from === to) throw invalid('user_id', 'you are already the owner')
  await changeRole(work, 'owner', to, { role: 'owner', site_ids: null })
  await changeRole(work, 'owner', from, { role: 'administrator', site_ids: null })
}

/** Serializes membership changes of an organization, so that its last two owners cannot leave at once. */
async function holdUser({ db, caller }: Work, user_id: string): Promise<Position & { is_deleted: boolean }> {
  const [organization] = await db.query<{ is_deleted: boolean }>(
    'SELECT is_deleted FROM organizations WHERE id = $1 FOR UPDATE',
    [caller.organization_id],
  )
  const position = await findPosition(db, caller.organization_id, user_id)
  if (!position) throw new RequestError('not_found', 'the organization has no user with this id')
  return { ...position, is_deleted: organization?.is_deleted ?? false }
}

async function refuseLastOwner({ db, caller }: Work): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM organization_users WHERE organization_id = $1 AND role = 'owner'`,
    [caller.organization_id],
  )
  if ((row?.count ?? 0) > 1) return
  throw new RequestError(
    'invalid_request',
    'an organization needs at least one owner: make someone else an owner first, or delete the organization',
    { args: { reason: 'last_owner' } },
  )
}

export function ownersOnly(): RequestError {
  return new RequestError('permission_denied', 'only an owner can appoint, change or remove owners', {
    args: { reason: 'role_too_low', role: 'owner' },
  })
}
