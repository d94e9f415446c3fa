import type { Outcome } from '../channels/outcome.ts'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { present } from '../flow/present.ts'
import { newId } from '../store/ids.ts'
import { sealedAs } from '../vault/contexts.ts'
import { digest, type Vault } from '../vault/vault.ts'
import type { PushTarget } from './send-push.ts'

/** A browser as its user sees it. Its endpoint and keys stay here. */
export interface Subscription {
  readonly id: string
  readonly name: string
  /** The key that the browser subscribed with. Another one than the current gets nothing any more. */
  readonly public_key: string
  readonly created_at: string
  readonly last_success_at: string | null
}

export interface NewSubscription {
  readonly endpoint: string
  readonly keys: PushTarget['keys']
  readonly name: string
  readonly public_key: string
}

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
}

const columns = 'id, name, public_key, created_at, last_success_at'

export function listSubscriptions(db: Database, user_id: string): Promise<Subscription[]> {
  return db.query<Subscription>(
    `SELECT ${columns} FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at, id`,
    [user_id],
  )
}

/** Whether the user has the browser of this endpoint already. */
export async function knowsEndpoint(db: Database, user_id: string, endpoint: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 FROM push_subscriptions WHERE user_id = $1 AND endpoint_hash = $2', [
    user_id,
    digest(endpoint),
  ])
  return rows.length > 0
}

/** Adds a browser. One that is known belongs to whoever uses it now, and begins anew. */
export async function addSubscription(
  { db, clock, vault }: Needs,
  user_id: string,
  { endpoint, keys, name, public_key }: NewSubscription,
): Promise<Subscription> {
  const now = clock.now()
  const endpoint_hash = digest(endpoint)
  await db.query('DELETE FROM push_subscriptions WHERE endpoint_hash = $1', [endpoint_hash])
  const id = newId('push_subscription', now)
  const sealed = vault.encrypt(JSON.stringify({ endpoint, keys }), sealedAs.push_subscription(id))
  const [row] = await db.query<Subscription>(
    `INSERT INTO push_subscriptions (id, user_id, name, endpoint_hash, subscription_ciphertext, public_key, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
    [id, user_id, name, endpoint_hash, sealed, public_key, now],
  )
  return present(row, 'the subscription')
}

export async function removeSubscription(db: Database, user_id: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM push_subscriptions WHERE user_id = $1 AND id = $2 RETURNING 1', [
    user_id,
    id,
  ])
  return rows.length > 0
}

/** The browsers of a user as targets, or one of them. */
export async function findPushTargets(
  { db, vault }: Pick<Needs, 'db' | 'vault'>,
  user_id: string,
  id?: string,
): Promise<(PushTarget & { readonly id: string })[]> {
  const rows = await db.query<{ id: string; subscription_ciphertext: Uint8Array }>(
    `SELECT id, subscription_ciphertext FROM push_subscriptions
     WHERE user_id = $1 AND ($2::text IS NULL OR id = $2) ORDER BY created_at, id`,
    [user_id, id ?? null],
  )
  return rows.map(row => {
    const opened = vault.decrypt(row.subscription_ciphertext, sealedAs.push_subscription(row.id))
    const { endpoint, keys }: Pick<PushTarget, 'endpoint' | 'keys'> = JSON.parse(opened)
    return { id: row.id, user_id, endpoint, keys }
  })
}

const mostRejections = 5

/**
 * Keeps what became of a message. A browser that is gone (404, 410) is removed, and so is one whose push service
 * has refused five messages in a row and never accepted one. Failures of the network, of the push service (5xx)
 * and its requests to slow down (429) say nothing about the browser.
 */
export async function noteOutcome(
  { db, clock }: Pick<Needs, 'db' | 'clock'>,
  id: string,
  { is_delivered, status_code }: Outcome,
): Promise<'kept' | 'removed'> {
  if (is_delivered) {
    await db.query('UPDATE push_subscriptions SET last_success_at = $2, rejection_count = 0 WHERE id = $1', [
      id,
      clock.now(),
    ])
    return 'kept'
  }
  if (status_code === null || status_code < 400 || status_code >= 500 || status_code === 429) return 'kept'
  await db.query('UPDATE push_subscriptions SET rejection_count = rejection_count + 1 WHERE id = $1', [id])
  const removed = await db.query(
    `DELETE FROM push_subscriptions
     WHERE id = $1 AND ($2 OR (rejection_count >= ${mostRejections} AND last_success_at IS NULL)) RETURNING 1`,
    [id, status_code === 404 || status_code === 410],
  )
  return removed.length > 0 ? 'removed' : 'kept'
}
