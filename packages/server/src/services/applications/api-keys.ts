import { invalid, RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Work } from '../objects/context.ts'
import { deauthorizeApplication } from './authorizations.ts'
import { tellApplication } from './tell-application.ts'

/** A key as the organization's administrators see it. The key itself is shown once, when it is made. */
export interface ApiKey {
  /** Events name the key by it, as `subject.oauth_application_id`. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  /** The last characters of the key. */
  readonly hint: string
  readonly created_by: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface KeyWish {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at: string | null
}

const hintLength = 4
/** A token without an end has this one. */
const never = '9999-12-31T23:59:59.999999Z'

const columns = `a.id, a.name, i.scopes, a.key_hint AS hint, a.developer_id AS created_by, a.created_at, a.key_expires_at AS expires_at, i.last_used_at
  FROM oauth_applications a JOIN installations i ON i.organization_id = a.key_of AND i.oauth_application_id = a.id`

export function listApiKeys(db: Database, organization_id: string): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    `SELECT ${columns} WHERE a.key_of = $1 AND NOT a.is_deleted ORDER BY a.created_at DESC, a.id DESC`,
    [organization_id],
  )
}

/**
 * Makes a key. It is an application of its own, which its maker develops: so it has the limits, the webhooks and the
 * isolation of one, events name it, and it ends with its maker like their other applications.
 */
export async function createApiKey(work: Work, wish: KeyWish): Promise<ApiKey & { key: string }> {
  const { caller, context, db, now } = work
  const { organization_id, user_id } = caller
  if (wish.expires_at !== null && wish.expires_at <= now)
    throw invalid('expires_at', `expires_at ${wish.expires_at} must be in the future`)
  await context.quotas.take(db, 'api_key', [organization_id])
  const id = newId('oauth_application', now)
  const key = newSecret('ghak')
  const scopes = [...new Set(wish.scopes)].sort()
  await db.query(
    `INSERT INTO oauth_applications (id, name, developer_id, created_at, key_of, key_hint, key_expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, wish.name, user_id ?? null, now, organization_id, key.slice(-hintLength), wish.expires_at],
  )
  await db.query(
    'INSERT INTO installations (organization_id, oauth_application_id, scopes, granted_by, created_at) VALUES ($1, $2, $3, $4, $5)',
    [organization_id, id, scopes, user_id ?? null, now],
  )
  await db.query(
    `INSERT INTO access_tokens (token_hash, organization_id, oauth_application_id, user_id, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, NULL, $4, $5, $6)`,
    [digest(key), organization_id, id, scopes, now, wish.expires_at ?? never],
  )
  await tellApplication(work, 'create', id, { reason: 'api_key' })
  const [made] = await db.query<ApiKey>(`SELECT ${columns} WHERE a.key_of = $1 AND a.id = $2`, [
    organization_id,
    id,
  ])
  if (!made) throw new Error('the key that was just made is missing')
  return { ...made, key }
}

/** The key is refused when this returns; other processes follow within a second. */
export async function revokeApiKey(work: Work, id: string): Promise<void> {
  const [row] = await work.db.query(
    'UPDATE oauth_applications SET is_deleted = true WHERE key_of = $1 AND id = $2 AND NOT is_deleted RETURNING 1',
    [work.caller.organization_id, id],
  )
  if (!row) throw new RequestError('not_found', 'there is no API key with this id')
  work.db.afterCommit('rights_changed')
  await deauthorizeApplication(work, id)
}
