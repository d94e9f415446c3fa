import { isDeepStrictEqual } from 'node:util'
import { changesSomething, RequestError, resources, tokenScopes } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { deleteObjects } from '../../store/write.ts'
import type { Work } from '../objects/context.ts'
import { holdMembership } from '../roles/hold-membership.ts'
import { isSiteRole, type Role } from '../roles/roles.ts'
import { holdGrants } from './oauth-grants.ts'
import { tellApplication } from './tell-application.ts'

/** Returns the requested scopes that a user with this role can grant. A viewer cannot grant write access; who reaches a part of the API nothing. */
export function grantableScopes(requested: readonly string[], role: Role): string[] {
  if (isSiteRole(role)) return []
  return requested.filter(scope => role !== 'viewer' || !changesSomething([scope]))
}

/** An application without one of these scopes could do nothing. */
export function isUseful(scopes: readonly string[]): boolean {
  return tokenScopes.some(scope => scopes.includes(scope))
}

/** Installs an application in an organization or extends its scopes. The caller is the user who allows it. */
export async function authorizeApplication(
  work: Work,
  role: Role,
  oauth_application_id: string,
  scopes: readonly string[],
): Promise<void> {
  const { db, caller, now } = work
  await holdMembership(work)
  await work.context.quotas.take(db, 'installation', [caller.organization_id])
  const [before] = await db.query<{ scopes: string[] }>(
    'SELECT scopes FROM installations WHERE organization_id = $1 AND oauth_application_id = $2 FOR UPDATE',
    [caller.organization_id, oauth_application_id],
  )
  const [row] = await db.query<{ is_new: boolean; scopes: string[] }>(
    `INSERT INTO installations AS i (organization_id, oauth_application_id, scopes, granted_by, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (organization_id, oauth_application_id) DO UPDATE SET
       scopes = (SELECT array_agg(DISTINCT scope ORDER BY scope) FROM unnest(i.scopes || excluded.scopes) scope),
       granted_by = CASE WHEN $6 THEN i.granted_by ELSE excluded.granted_by END
     RETURNING xmax = 0 AS is_new, i.scopes`,
    [caller.organization_id, oauth_application_id, scopes, caller.user_id ?? null, now, role === 'viewer'],
  )
  if (row?.is_new) return tellApplication(work, 'create', oauth_application_id)
  const changes = [{ field: 'scopes', before: before?.scopes ?? null, after: row?.scopes ?? null }]
  const isSame = isDeepStrictEqual(before?.scopes, row?.scopes)
  await tellApplication(work, 'edit', oauth_application_id, isSame ? {} : { changes })
}

/**
 * For users who may not deauthorize an application for everyone: removes what this user allowed. That is the
 * installation if it only reads and this user granted it, otherwise the tokens that this user granted.
 */
export async function withdrawConsent(work: Work, oauth_application_id: string): Promise<void> {
  const { db, caller, now } = work
  const [row] = await db.query<{ granted_by: string | null; scopes: string[] }>(
    'SELECT granted_by, scopes FROM installations WHERE organization_id = $1 AND oauth_application_id = $2',
    [caller.organization_id, oauth_application_id],
  )
  if (row?.granted_by === caller.user_id && !changesSomething(row?.scopes ?? []))
    return deauthorizeApplication(work, oauth_application_id)
  const own = [caller.organization_id, oauth_application_id, caller.user_id]
  await holdGrants(db, 'oauth_application_id', [caller.organization_id, oauth_application_id])
  const tokens = await db.query(
    `UPDATE access_tokens SET revoked_at = $4 WHERE organization_id = $1 AND oauth_application_id = $2 AND user_id = $3
     AND revoked_at IS NULL RETURNING 1`,
    [...own, now],
  )
  const artifacts = await db.query(
    'DELETE FROM oauth_artifacts WHERE organization_id = $1 AND oauth_application_id = $2 AND user_id = $3 RETURNING 1',
    own,
  )
  db.afterCommit('rights_changed')
  if (tokens.length + artifacts.length === 0)
    throw new RequestError(
      'permission_denied',
      'you have not authorized this application; only administrators can revoke what others authorized',
      {
        args: { reason: 'role_too_low', role: 'administrator' },
      },
    )
  await tellApplication(work, 'edit', oauth_application_id)
}

/** Revokes all tokens, codes and refresh tokens, and deletes the webhooks. */
export async function deauthorizeApplication(work: Work, oauth_application_id: string): Promise<void> {
  const { db, caller, now } = work
  const place = [caller.organization_id, oauth_application_id] as const
  const removed = await db.query(
    'DELETE FROM installations WHERE organization_id = $1 AND oauth_application_id = $2 RETURNING scopes',
    place,
  )
  if (removed.length === 0)
    throw new RequestError('not_found', 'this application is not installed in the organization')
  await holdGrants(db, 'oauth_application_id', place)
  await db.query(
    'UPDATE access_tokens SET revoked_at = $3 WHERE organization_id = $1 AND oauth_application_id = $2 AND revoked_at IS NULL',
    [...place, now],
  )
  await db.query(
    'DELETE FROM oauth_artifacts WHERE organization_id = $1 AND oauth_application_id = $2',
    place,
  )
  db.afterCommit('rights_changed')
  await deleteObjects(work, resources.webhook, 'oauth_application_id', [oauth_application_id])
  await tellApplication(work, 'delete', oauth_application_id)
}

interface Installed {
  readonly name: string
  readonly scopes: string[]
  readonly created_at: string
  readonly last_used_at: string | null
}

interface InstalledApplication extends Installed {
  readonly oauth_application_id: string
  readonly has_logo: boolean
  readonly granted_by: string | null
  readonly is_own: boolean
}

/** Returns an organization's applications with scopes and last use, and whether this user allowed them. */
export function listInstalledApplications(
  db: Database,
  organization_id: string,
  user_id: string,
): Promise<InstalledApplication[]> {
  return db.query<InstalledApplication>(
    `SELECT a.id AS oauth_application_id, a.name, a.logo IS NOT NULL AS has_logo, i.scopes, i.granted_by, i.created_at, i.last_used_at,
       i.granted_by IS NOT DISTINCT FROM $2 OR EXISTS (SELECT 1 FROM oauth_artifacts g WHERE g.kind = 'Grant' AND g.user_id = $2
         AND g.organization_id = i.organization_id AND g.oauth_application_id = i.oauth_application_id) AS is_own FROM installations i
     JOIN oauth_applications a ON a.id = i.oauth_application_id WHERE i.organization_id = $1 AND a.key_of IS NULL AND NOT a.is_deleted
     ORDER BY i.created_at DESC, a.id`,
    [organization_id, user_id],
  )
}

interface InstalledIn extends Installed {
  readonly organization_id: string
}

/** Returns the organizations that installed an application. */
export function listInstallationsOf(db: Database, oauth_application_id: string): Promise<InstalledIn[]> {
  return db.query<InstalledIn>(
    `SELECT o.id AS organization_id, o.name, i.scopes, i.created_at, i.last_used_at FROM installations i
     JOIN organizations o ON o.id = i.organization_id WHERE i.oauth_application_id = $1 AND NOT o.is_deleted
     ORDER BY i.created_at DESC, o.id`,
    [oauth_application_id],
  )
}
