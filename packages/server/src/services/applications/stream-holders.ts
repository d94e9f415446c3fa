import { type Demands, findRefusal } from '../accounts/admission.ts'
import { idleBefore, type Session } from '../accounts/sessions.ts'
import type { Context } from '../objects/context.ts'
import type { TokenCache } from './token-cache.ts'

/** The credential that a stream depends on: an access token, or a user's session in one organization. */
export interface Holder {
  readonly token_hash: Buffer
  /** Set for a session. A token already belongs to one organization. */
  readonly organization_id?: string
}

/** What a stream may show: one organization, and the webhooks of one application. A user sees no webhooks. */
export interface StreamGrant {
  readonly organization_id: string
  readonly oauth_application_id: string | undefined
  readonly scopes: readonly string[]
}

export function nameHolder({ token_hash, organization_id }: Holder): string {
  const hash = token_hash.toString('hex')
  return organization_id ? `${hash} ${organization_id}` : hash
}

/** Returns the names of the holders that are valid now. One query for all tokens, one for all users. */
export async function findLiving(
  { context, tokens }: { context: Needs; tokens: Pick<TokenCache, 'findLiving'> },
  names: readonly string[],
): Promise<Set<string>> {
  const hashes = names.filter(name => !name.includes(' ')).map(name => Buffer.from(name, 'hex'))
  const living = hashes.length > 0 ? await tokens.findLiving(hashes) : []
  const users = await findLivingUsers(
    context,
    names.filter(name => name.includes(' ')),
  )
  return new Set([...living, ...users])
}

type Needs = Pick<Context, 'db' | 'clock' | 'config'>
type Found = Pick<Session, 'created_at' | 'method'> & Demands & { readonly name: string }

export async function findUserGrant(context: Needs, holder: Holder): Promise<StreamGrant | undefined> {
  const { organization_id } = holder
  if (!organization_id || (await findLivingUsers(context, [nameHolder(holder)])).length === 0)
    return undefined
  return { organization_id, oauth_application_id: undefined, scopes: ['full_read_only'] }
}

/**
 * Returns the names of the sessions that are valid now, never from a cache. The user must be signed in and
 * belong to the organization, which must not be deleted. The session must be as strong as requests require.
 */
async function findLivingUsers(context: Needs, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const now = context.clock.now()
  const rows = await context.db.query<Found>(
    `SELECT held AS name, s.created_at, s.method, m.signed_out_at, coalesce(d.requires_second_factor, false) AS requires_second_factor
     FROM unnest($1::text[]) AS held JOIN user_sessions s ON s.token_hash = decode(split_part(held, ' ', 1), 'hex')
     JOIN organization_users m ON m.user_id = s.user_id AND m.organization_id = split_part(held, ' ', 2)
     JOIN organizations o ON o.id = m.organization_id AND NOT o.is_deleted
     LEFT JOIN organization_security d ON d.organization_id = m.organization_id
     WHERE s.expires_at > $2 AND s.last_used_at > $3`,
    [names, now, idleBefore(now)],
  )
  return rows.filter(row => !findRefusal(context, row, row)).map(({ name }) => name)
}
