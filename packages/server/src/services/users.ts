import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import type { Database } from '../store/db.ts'

const hashArgon2 = promisify(argon2)

/** argon2id with the parameters OWASP recommends, in the usual text form so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const [memory, passes, parallelism, nonce] = [19_456, 2, 1, randomBytes(16)]
  const hash = await hashArgon2('argon2id', {
    message: password,
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: 32,
  })
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(hash)}`
}

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
    'INSERT INTO users (id, name, email, email_key, password_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, name, email, email.toLowerCase(), await hashPassword(password), now],
  )
  return id
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
