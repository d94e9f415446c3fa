import type { Database } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import type { Context } from '../objects/context.ts'
import { hashPassword } from './passwords.ts'

export async function createUser(
  { clock }: Pick<Context, 'clock'>,
  db: Database,
  email: string,
  name: string,
  password: string,
): Promise<string> {
  const now = clock.now()
  const id = newId('user', now)
  await db.query(
    `INSERT INTO users (id, name, email, email_key, password_hash, email_verified_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [id, name, email, email.toLowerCase(), await hashPassword(password), now],
  )
  return id
}

export async function renameUser({ db }: Pick<Context, 'db'>, id: string, name: string): Promise<void> {
  await db.query('UPDATE users SET name = $2 WHERE id = $1', [id, name])
  db.afterCommit('rights_changed')
}

export async function addToOrganization(
  { clock }: Pick<Context, 'clock'>,
  db: Database,
  organizationId: string,
  userId: string,
  role: 'owner' | 'administrator' | 'viewer',
): Promise<void> {
  await db.query(
    'INSERT INTO organization_users (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)',
    [organizationId, userId, role, clock.now()],
  )
}
