import type { Database } from '../../database/db.ts'

/**
 * Locks the grants until the transaction ends. Waits for running exchanges of codes and refresh tokens and
 * blocks new ones, because each exchange locks its grant while it writes. The next statement sees all tokens.
 */
export async function holdGrants(
  db: Database,
  column: 'oauth_application_id' | 'user_id',
  place: readonly [organization_id: string, id: string],
): Promise<void> {
  await db.query(
    `SELECT 1 FROM oauth_artifacts WHERE kind = 'Grant' AND organization_id = $1 AND ${column} = $2
     ORDER BY id_hash FOR UPDATE`,
    place,
  )
}
