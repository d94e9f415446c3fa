import type { Database } from '../../database/db.ts'
import { scopesOf } from '../roles/roles.ts'
import type { UserOrganization } from './user-organizations.ts'

/** Whether a user administers the only organization of the installation: then its operator works for them. */
export async function administersOnly(db: Database, held: readonly UserOrganization[]): Promise<boolean> {
  const [own, another] = held.filter(({ due_at }) => due_at === null)
  if (!own || another || !scopesOf(own.role).includes('full_read_write')) return false
  const living = await db.query('SELECT 1 FROM organizations WHERE NOT is_deleted LIMIT 2')
  return living.length === 1
}
