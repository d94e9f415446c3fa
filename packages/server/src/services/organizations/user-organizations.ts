import type { Database } from '../../database/db.ts'
import type { Context } from '../objects/context.ts'
import { ownRole, ownSignOut, type Position } from '../roles/roles.ts'

export interface UserOrganization extends Position {
  readonly id: string
  readonly name: string
  readonly is_test: boolean
  /** Set while the organization is deleted and can still be restored. */
  readonly due_at: string | null
  readonly requires_second_factor: boolean
  readonly logo_hash: string | null
  /** Sessions that began at or before this time are refused. */
  readonly signed_out_at: string | null
}

/** Returns the organizations of a user by name. Includes deleted ones only while they can be restored. */
export function listOrganizations(db: Database, user_id: string): Promise<UserOrganization[]> {
  return db.query<UserOrganization>(
    `SELECT o.id, o.name, o.logo_hash, ${ownRole} AS role, m.site_ids, t.organization_id IS NOT NULL AS is_test, d.due_at,
       coalesce(s.requires_second_factor, false) AS requires_second_factor, ${ownSignOut} AS signed_out_at FROM organization_users m
     JOIN organizations o ON o.id = m.organization_id LEFT JOIN organization_deletions d ON d.organization_id = o.id
     LEFT JOIN test_organizations t ON t.organization_id = o.id
     LEFT JOIN organization_security s ON s.organization_id = o.id
     WHERE m.user_id = $1 AND (NOT o.is_deleted OR d.due_at IS NOT NULL) ORDER BY lower(o.name), o.id`,
    [user_id],
  )
}

/** Returns the organizations that are not deleted. */
export async function listLivingOrganizations(
  { db }: Pick<Context, 'db'>,
  user_id: string,
): Promise<UserOrganization[]> {
  return (await listOrganizations(db, user_id)).filter(({ due_at }) => due_at === null)
}
