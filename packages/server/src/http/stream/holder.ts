import type { Context } from '../../context.ts'

/** What a stream stands and falls with: an access token, or a user's session in one organization. */
export interface Holder {
  readonly token_hash: Buffer
  /** Set for a session; a token belongs to its organization by itself. */
  readonly organization_id?: string
}

/** What a stream may show: of one organization, and the webhooks of one application; a user sees none of those. */
export interface StreamGrant {
  readonly organization_id: string
  readonly oauth_application_id: string | undefined
}

export function nameHolder({ token_hash, organization_id }: Holder): string {
  const hash = token_hash.toString('hex')
  return organization_id ? `${hash} ${organization_id}` : hash
}

/** The user must still be signed in and still belong to the organization, which must live. */
const living = `user_sessions s JOIN organization_users m ON m.user_id = s.user_id
  JOIN organizations o ON o.id = m.organization_id AND NOT o.is_deleted`

export async function findUserGrant(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { token_hash, organization_id }: Holder,
): Promise<StreamGrant | undefined> {
  const [row] = await db.query<{ organization_id: string }>(
    `SELECT m.organization_id FROM ${living} WHERE s.token_hash = $1 AND m.organization_id = $2 AND s.expires_at > $3`,
    [token_hash, organization_id, clock.now()],
  )
  return row && { ...row, oauth_application_id: undefined }
}

/** The names of those sessions that hold at this moment; never from memory. */
export async function findLivingUsers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await db.query<{ name: string }>(
    `SELECT encode(s.token_hash, 'hex') || ' ' || m.organization_id AS name FROM ${living}
     JOIN unnest($1::text[]) AS held ON decode(split_part(held, ' ', 1), 'hex') = s.token_hash
       AND split_part(held, ' ', 2) = m.organization_id
     WHERE s.expires_at > $2`,
    [names, clock.now()],
  )
  return rows.map(({ name }) => name)
}
