import { RequestError, readingScopes } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'

export const roles = ['owner', 'administrator', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Returns the API rights of a role as scopes. */
export function scopesOf(role: Role): string[] {
  return [role === 'viewer' ? 'full_read_only' : 'full_read_write']
}

/** Limits the rights of a token to what its granter can do now. */
export function limitScopes(scopes: readonly string[], role: Role | null): readonly string[] {
  return role === 'viewer' ? readingScopes(scopes) : scopes
}

export async function findRole(
  db: Database,
  organization_id: string,
  user_id: string,
): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>(
    'SELECT role FROM organization_users WHERE organization_id = $1 AND user_id = $2',
    [organization_id, user_id],
  )
  return row?.role
}

/** Returns the role of a user, at least `least`. Strangers are told that the organization does not exist. */
export async function requireRole(
  db: Database,
  organization_id: string,
  user_id: string,
  least: Role,
): Promise<Role> {
  const role = await findRole(db, organization_id, user_id)
  if (!role) throw new RequestError('not_found', 'there is no organization with this id')
  if (roles.indexOf(role) <= roles.indexOf(least)) return role
  throw new RequestError('permission_denied', `this requires the role ${least}; yours is ${role}`, {
    args: { reason: 'role_too_low', role: least },
  })
}
