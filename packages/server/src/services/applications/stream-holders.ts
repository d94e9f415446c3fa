import type { Bounds } from '../../store/caller.ts'
import { type Demands, findRefusal } from '../accounts/admission.ts'
import { idleBefore, type Session } from '../accounts/sessions.ts'
import type { Context } from '../objects/context.ts'
import { findBounds } from '../roles/bounds.ts'
import { ownRole, ownSignOut, type Position, scopesOf } from '../roles/roles.ts'
import type { TokenCache } from './token-cache.ts'

/** The credential that a stream depends on: an access token, or a user's session in one organization. */
export interface Holder {
  readonly token_hash: Buffer
  /** Set for a session. A token already belongs to one organization. */
  readonly organization_id?: string
  /** The role of a user who sees a part of the events, as `placeOf` writes it. Another role ends the stream. */
  readonly place?: string
}

/** What a stream may show: one organization, and the webhooks of one application. A user sees no webhooks. */
export interface StreamGrant {
  readonly organization_id: string
  readonly oauth_application_id: string | undefined
  readonly scopes: readonly string[]
  /** Set for a user whose role is limited to some sites. */
  readonly bounds?: Bounds | undefined
  readonly holder?: Holder
}

export function nameHolder({ token_hash, organization_id, place }: Holder): string {
  const hash = token_hash.toString('hex')
  if (!organization_id) return hash
  return place ? `${hash} ${organization_id} ${place}` : `${hash} ${organization_id}`
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
type Bounding = Needs & Pick<Context, 'policies'>
type Found = Pick<Session, 'created_at' | 'method'> & Demands & { readonly name: string }

/** Returns what a session may see now, and the holder that says so. */
export async function findUserGrant(context: Bounding, asked: Holder): Promise<StreamGrant | undefined> {
  const { organization_id } = asked
  const [found] = organization_id ? await findSession(context, asked, organization_id) : []
  if (!found || !organization_id) return undefined
  const holder = found.place === '' ? asked : { ...asked, place: found.place }
  if ((await findLivingUsers(context, [nameHolder(holder)])).length === 0) return undefined
  const { role, site_ids } = found
  const bounds = site_ids ? await findBounds(context, organization_id, site_ids) : undefined
  const scopes = found.place === '' ? ['full_read_only'] : scopesOf(role)
  return { organization_id, oauth_application_id: undefined, scopes, bounds, holder }
}

function findSession(
  { db }: Needs,
  { token_hash }: Holder,
  organization_id: string,
): Promise<(Position & { readonly place: string })[]> {
  return db.query<Position & { readonly place: string }>(
    `SELECT ${ownRole} AS role, m.site_ids, ${place} AS place FROM user_sessions s
     JOIN organization_users m ON m.user_id = s.user_id AND m.organization_id = $2 WHERE s.token_hash = $1`,
    [token_hash, organization_id],
  )
}

/** The role of a user who sees a part of the events, and its sites. Empty for one who sees all. */
const place = `coalesce(m.duty || ':' || coalesce(array_to_string(m.site_ids, ','), 'all'), '')`

/**
 * Returns the names of the sessions that are valid now, never from a cache. The user must be signed in and
 * belong to the organization, which must not be deleted. The session must be as strong as requests require.
 */
async function findLivingUsers(context: Needs, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const now = context.clock.now()
  const rows = await context.db.query<Found>(
    `SELECT held AS name, s.created_at, s.method, ${ownSignOut} AS signed_out_at, coalesce(d.requires_second_factor, false) AS requires_second_factor
     FROM unnest($1::text[]) AS held JOIN user_sessions s ON s.token_hash = decode(split_part(held, ' ', 1), 'hex')
     JOIN organization_users m ON m.user_id = s.user_id AND m.organization_id = split_part(held, ' ', 2)
     JOIN organizations o ON o.id = m.organization_id AND NOT o.is_deleted
     LEFT JOIN organization_security d ON d.organization_id = m.organization_id
     WHERE s.expires_at > $2 AND s.last_used_at > $3 AND split_part(held, ' ', 3) = ${place}`,
    [names, now, idleBefore(now)],
  )
  return rows.filter(row => !findRefusal(context, row, row)).map(({ name }) => name)
}
