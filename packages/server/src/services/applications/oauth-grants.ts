import type { Database } from '../../database/db.ts'

/**
 * Waits for exchanges of codes and refresh tokens that are under way, and keeps others from beginning, until the
 * transaction ends: each holds its grant while it writes. What the next statement sees of tokens is then all there is.
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
