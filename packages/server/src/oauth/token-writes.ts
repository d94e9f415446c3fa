import { type AdapterPayload, Provider } from 'oidc-provider'
import type { Context } from '../context.ts'
import type { Database } from '../store/db.ts'
import { gather } from '../store/gather.ts'
import { Statement } from '../store/statement.ts'
import { digest } from '../vault.ts'
import { parseAccount } from './account.ts'
import { seal } from './repeats.ts'

interface Saved {
  readonly id: string
  readonly payload: AdapterPayload
  readonly expires_at: string
}

/** What one request to the token endpoint will write: gathered while the engine works, written in one statement. */
export interface TokenWrites {
  consumed?: { readonly kind: string; readonly id: string }
  access?: Saved
  refresh?: Saved
}

/** The writes of the request under way. */
export function currentWrites(): TokenWrites {
  const writes = Provider.ctx?.state.writes as TokenWrites | undefined
  if (!writes) throw new Error('tokens are given by the token endpoint only')
  return writes
}

/** What became of the writes of one request. */
export type Outcome = 'stored' | 'used_before' | 'not_installed'

export interface Given {
  readonly writes: TokenWrites
  /** What the client will be answered. */
  readonly answer: object
}

/**
 * Stores what requests at the same time give in one transaction: the disk is waited for once. Requests lock their grant
 * first and grants are taken in order, so that no two transactions wait for each other.
 */
export function openTokenStore({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): (given: Given) => Promise<Outcome> {
  const storeAll = async (all: readonly Given[]) => {
    const outcomes = new Map<Given, Promise<Outcome>>()
    const inOrder = all.toSorted((a, b) => compareText(grantOf(a.writes), grantOf(b.writes)))
    const now = clock.now()
    if (all.length === 1) return Promise.all(all.map(given => store(db, given, now)))
    await db.transaction(async inner => {
      for (const given of inOrder) outcomes.set(given, store(inner, given, now))
      await Promise.all(outcomes.values())
    })
    return Promise.all(all.map(given => outcomes.get(given) as Promise<Outcome>))
  }
  return gather(storeAll, { lanes: 2, most: 50 })
}

function grantOf({ access }: TokenWrites): string {
  return access?.payload.grantId ?? ''
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Uses the code or refresh token up and stores what was given for it, all or nothing. Of any number of requests with the
 * same one, the first succeeds. The grant is held meanwhile: whoever takes it back waits for what is under way and then
 * revokes that too (`holdGrants`). To hold the installation would do the same, but all its exchanges would meet there.
 */
async function store(db: Database, { writes, answer }: Given, now: string): Promise<Outcome> {
  const statement = new Statement()
  const text = `WITH held AS (${holdGrant(statement, writes)}), used AS (${use(statement, writes, answer, now)}),
    access AS (${insertAccess(statement, writes, now)})
    ${writes.refresh ? `, refresh AS (${insertRefresh(statement, writes.refresh)})` : ''}
    SELECT EXISTS (SELECT 1 FROM used) AS is_used, EXISTS (SELECT 1 FROM access) AS is_given`
  const [row] = await db.query<{ is_used: boolean; is_given: boolean }>(text, statement.params)
  if (!row?.is_used) return 'used_before'
  return row.is_given ? 'stored' : 'not_installed'
}

function holdGrant(statement: Statement, writes: TokenWrites): string {
  const id_hash = statement.bind(digest(grantOf(writes)), 'bytea')
  return `SELECT 1 FROM oauth_artifacts WHERE kind = 'Grant' AND id_hash = ${id_hash} FOR KEY SHARE`
}

/** A used refresh token keeps the answer it got, for the case that the answer is lost on its way. */
function use(statement: Statement, { consumed, refresh }: TokenWrites, answer: object, now: string): string {
  if (!consumed) throw new Error('a token was given for nothing')
  const is_refresh = consumed.kind === 'RefreshToken'
  const sets = [
    `consumed_at = ${statement.bind(now, 'timestamptz')}`,
    `answer = ${statement.bind(is_refresh ? seal(consumed.id, JSON.stringify(answer)) : null, 'bytea')}`,
    `successor_hash = ${statement.bind(refresh ? digest(refresh.id) : null, 'bytea')}`,
  ]
  const key = `kind = ${statement.bind(consumed.kind)} AND id_hash = ${statement.bind(digest(consumed.id))}`
  return `UPDATE oauth_artifacts SET ${sets.join(', ')} WHERE ${key} AND consumed_at IS NULL AND EXISTS (SELECT 1 FROM held) RETURNING kind`
}

function insertAccess(statement: Statement, { access }: TokenWrites, now: string): string {
  const account = parseAccount(access?.payload.accountId)
  if (!access || !account) throw new Error('a token was given to nobody')
  const { payload } = access
  const values = [
    statement.bind(digest(access.id), 'bytea'),
    'i.organization_id, i.oauth_application_id, m.user_id',
    statement.bind(payload.scope?.split(' ') ?? [], 'text[]'),
    statement.bind(payload.grantId ?? null, 'text'),
    statement.bind(now, 'timestamptz'),
    statement.bind(access.expires_at, 'timestamptz'),
  ]
  return `INSERT INTO access_tokens (token_hash, organization_id, oauth_application_id, user_id, scopes, grant_id, created_at, expires_at)
    SELECT ${values.join(', ')} FROM installations i
    LEFT JOIN organization_users m ON m.organization_id = i.organization_id AND m.user_id = ${statement.bind(account.user_id)}
    WHERE i.organization_id = ${statement.bind(account.organization_id)} AND i.oauth_application_id = ${statement.bind(payload.clientId)}
      AND EXISTS (SELECT 1 FROM used) RETURNING 1`
}

function insertRefresh(
  statement: Statement,
  { id, payload: { jti: _, ...payload }, expires_at }: Saved,
): string {
  const account = parseAccount(payload.accountId)
  const values = [
    "'RefreshToken'",
    statement.bind(digest(id), 'bytea'),
    statement.bind(payload.grantId ?? null, 'text'),
    statement.bind(account?.organization_id ?? null, 'text'),
    statement.bind(payload.clientId ?? null, 'text'),
    statement.bind(account?.user_id ?? null, 'text'),
    statement.bind(payload, 'jsonb'),
    statement.bind(expires_at, 'timestamptz'),
  ]
  return `INSERT INTO oauth_artifacts (kind, id_hash, grant_id, organization_id, oauth_application_id, user_id, payload, expires_at)
    SELECT ${values.join(', ')} WHERE EXISTS (SELECT 1 FROM access)`
}
