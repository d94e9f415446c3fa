import { invalid, RequestError } from '@gatehouse-access/api'
import { isId } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import type { Picture } from '../../mail/letter.ts'
import { newId } from '../../store/ids.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'
import { isRedirectUri } from './redirect-uris.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'quotas'>

const columns =
  'id, name, redirect_uris, is_public, requires_pkce, logo IS NOT NULL AS has_logo, secret_hash IS NOT NULL AS has_secret, created_at'

interface ApplicationValues {
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly is_public: boolean
  readonly requires_pkce: boolean
}

/** An application as its developer sees it. */
export interface Application extends ApplicationValues {
  readonly id: string
  readonly has_logo: boolean
  readonly has_secret: boolean
  readonly created_at: string
}

export type Logo = Picture

export function listApplications(db: Database, developer_id: string): Promise<Application[]> {
  return db.query<Application>(
    `SELECT ${columns} FROM oauth_applications WHERE developer_id = $1 AND key_of IS NULL AND NOT is_deleted ORDER BY created_at DESC, id`,
    [developer_id],
  )
}

/** Returns an application of this developer. Throws "not found" for those of others. */
export async function findApplication(db: Database, developer_id: string, id: string): Promise<Application> {
  const [row] = await db.query<Application>(
    `SELECT ${columns} FROM oauth_applications WHERE id = $1 AND developer_id = $2 AND key_of IS NULL AND NOT is_deleted`,
    [id, developer_id],
  )
  if (!row) throw new RequestError('not_found', 'there is no application with this id')
  return row
}

/** Returns what a user is shown of an application that asks for access. */
export async function findApplicationHead(
  db: Database,
  id: string,
): Promise<{ id: string; name: string; has_logo: boolean } | undefined> {
  const [row] = await db.query<{ id: string; name: string; has_logo: boolean }>(
    'SELECT id, name, logo IS NOT NULL AS has_logo FROM oauth_applications WHERE id = $1',
    [id],
  )
  return row
}

/** Returns the application with its secret, which is shown only once. A public client has no secret. */
export async function registerApplication(
  { db, clock, quotas }: Needs,
  developer_id: string,
  values: ApplicationValues,
): Promise<Application & { client_secret?: string }> {
  checkRedirectUris(values.redirect_uris)
  await quotas.take(db, 'user.oauth_application', [developer_id])
  const now = clock.now()
  const secret = values.is_public ? undefined : newSecret('ghx')
  const [row] = await db.query<Application>(
    `INSERT INTO oauth_applications (id, name, redirect_uris, is_public, secret_hash, developer_id, created_at, requires_pkce)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
    [
      newId('oauth_application', now),
      values.name,
      values.redirect_uris,
      values.is_public,
      secret ? digest(secret) : null,
      developer_id,
      now,
      values.requires_pkce,
    ],
  )
  return { ...present(row, 'the application'), ...(secret && { client_secret: secret }) }
}

export async function editApplication(
  { db, quotas }: Needs,
  developer_id: string,
  id: string,
  changes: {
    name?: string
    redirect_uris?: readonly string[]
    requires_pkce?: boolean
    logo?: Logo | null
  },
): Promise<void> {
  if (changes.redirect_uris) checkRedirectUris(changes.redirect_uris)
  if (changes.logo) await takeRoomForLogo({ db, quotas }, developer_id, id, changes.logo)
  const { name = null, redirect_uris = null, requires_pkce = null, logo } = changes
  await db.query(
    `UPDATE oauth_applications SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
       logo = CASE WHEN $4 THEN $5 ELSE logo END, logo_type = CASE WHEN $4 THEN $6 ELSE logo_type END,
       requires_pkce = coalesce($7, requires_pkce) WHERE id = $1`,
    [id, name, redirect_uris, logo !== undefined, logo?.bytes ?? null, logo?.type ?? null, requires_pkce],
  )
  db.afterCommit('rights_changed')
}

async function takeRoomForLogo(
  { db, quotas }: Pick<Needs, 'db' | 'quotas'>,
  developer_id: string,
  id: string,
  { bytes }: Logo,
): Promise<void> {
  const [before] = await db.query<{ bytes: number | null }>(
    'SELECT octet_length(logo) AS bytes FROM oauth_applications WHERE id = $1',
    [id],
  )
  const more = bytes.length - (before?.bytes ?? 0)
  if (more > 0) await quotas.take(db, 'user.logo_bytes', [developer_id], more)
}

/** Replaces the secret. The old one stops working at once; issued tokens stay valid. */
export async function rotateSecret({ db }: Needs, id: string): Promise<string> {
  const secret = newSecret('ghx')
  const rows = await db.query(
    'UPDATE oauth_applications SET secret_hash = $2 WHERE id = $1 AND NOT is_public RETURNING id',
    [id, digest(secret)],
  )
  if (rows.length === 0) throw invalid('', 'a public application has no secret: it uses PKCE')
  db.afterCommit('rights_changed')
  return secret
}

export async function findLogo({ db }: Pick<Context, 'db'>, id: string): Promise<Logo | undefined> {
  if (!isId('app', id)) return undefined
  const [row] = await db.query<{ logo: Uint8Array | null; logo_type: string }>(
    'SELECT logo, logo_type FROM oauth_applications WHERE id = $1 AND NOT is_deleted',
    [id],
  )
  return row?.logo ? { type: row.logo_type, bytes: Buffer.from(row.logo) } : undefined
}

function checkRedirectUris(uris: readonly string[]): void {
  for (const [index, uri] of uris.entries())
    if (!isRedirectUri(uri))
      throw invalid(
        `redirect_uris.${index}`,
        `redirect_uris.${index} must be an https URL, an http URL of this machine (localhost, 127.0.0.1, [::1]), or your own scheme with a dot, like com.example.app:/callback; without fragment, user or *`,
      )
}
