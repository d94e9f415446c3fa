import type { Database } from '../../database/db.ts'
import { commandApplicationId } from './command-application.ts'

export interface Installation {
  readonly oauth_application_id: string
  readonly name: string
  /** Null if the application is installed nowhere. */
  readonly organization_id: string | null
  readonly scopes: readonly string[]
}

/** Returns the organizations that are not deleted, oldest first. */
export function listOrganizations(db: Database): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(
    'SELECT id, name FROM organizations WHERE NOT is_deleted ORDER BY created_at, id',
  )
}

/** Returns every application once per organization that installed it, oldest first. Omits what is deleted. */
export function listInstallations(db: Database): Promise<Installation[]> {
  return db.query<Installation>(
    `SELECT a.id AS oauth_application_id, a.name, o.id AS organization_id, coalesce(i.scopes, '{}') AS scopes
     FROM oauth_applications a LEFT JOIN (installations i JOIN organizations o ON o.id = i.organization_id AND NOT o.is_deleted)
     ON i.oauth_application_id = a.id
     WHERE NOT a.is_deleted AND a.key_of IS NULL AND (a.id <> $1 OR o.id IS NOT NULL)
     ORDER BY a.id = $1, a.created_at, a.id, o.created_at, o.id`,
    [commandApplicationId],
  )
}

/** Whether an organization that is not deleted has installed the application. */
export async function isInstalled(
  db: Database,
  organization_id: string,
  oauth_application_id: string,
): Promise<boolean> {
  const rows = await db.query<{ id: string }>(
    `SELECT o.id FROM installations i JOIN organizations o ON o.id = i.organization_id
     WHERE i.organization_id = $1 AND i.oauth_application_id = $2 AND NOT o.is_deleted`,
    [organization_id, oauth_application_id],
  )
  return rows.length > 0
}
