import { RequestError, readingScopes, type SiteRole, siteRoles } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'

export const roles = ['owner', 'administrator', 'viewer', ...siteRoles] as const

export type Role = (typeof roles)[number]

/** A role, and the sites that it is limited to; null for all of the organization. */
export interface Position {
  readonly role: Role
  readonly site_ids: readonly string[] | null
}

/** Expects the row of `organization_users` as `m`, see migration 185. */
export const ownRole = 'coalesce(m.duty, m.role)'
export const ownSignOut = 'CASE WHEN m.duty IS NULL THEN m.signed_out_at ELSE m.duty_signed_out_at END'

export function isSiteRole(role: Role | null): role is SiteRole {
  return siteRoles.some(one => one === role)
}

/** Those that can do everything. A role of the version after this one, which an upgrade may bring, is not among them. */
const fullRoles: readonly (Role | null)[] = ['owner', 'administrator']

/** Returns the API rights of a role as scopes. */
export function scopesOf(role: Role): string[] {
  if (fullRoles.includes(role)) return ['full_read_write']
  return [role === 'viewer' ? 'full_read_only' : `role:${role}`]
}

/** Limits the rights of a token to what its granter can do now. Who reaches a part of the API can give none of it away. */
export function limitScopes(scopes: readonly string[], role: Role | null): readonly string[] {
  if (role === null || fullRoles.includes(role)) return scopes
  return role === 'viewer' ? readingScopes(scopes) : []
}

export async function findPosition(
  db: Database,
  organization_id: string,
  user_id: string,
): Promise<Position | undefined> {
  const [row] = await db.query<Position>(
    `SELECT ${ownRole} AS role, m.site_ids FROM organization_users m WHERE m.organization_id = $1 AND m.user_id = $2`,
    [organization_id, user_id],
  )
  return row
}

export async function findRole(
  db: Database,
  organization_id: string,
  user_id: string,
): Promise<Role | undefined> {
  return (await findPosition(db, organization_id, user_id))?.role
}

/**
 * Returns the role of a user, at least `least`. Strangers are told that the organization does not exist. Roles
 * that reach a part of the API have none of these ranks.
 */
export async function requireRole(
  db: Database,
  organization_id: string,
  user_id: string,
  least: Role | 'any',
): Promise<Role> {
  const role = await findRole(db, organization_id, user_id)
  if (!role) throw new RequestError('not_found', 'there is no organization with this id')
  if (least === 'any' || roles.slice(0, roles.indexOf(least) + 1).includes(role)) return role
  throw new RequestError('permission_denied', `this requires the role ${least}; yours is ${role}`, {
    args: { reason: 'role_too_low', role: least },
  })
}
