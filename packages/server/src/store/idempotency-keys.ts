import { randomBytes } from 'node:crypto'
import type { Database } from '../database/db.ts'

/** The scope of a key: responses are stored per organization and per application or user. */
export type KeyOwner = readonly [organization: string, owner: string, key: string]

/** A key within its organization. */
export interface Place {
  readonly owner_id: string
  readonly key: string
}

export interface StoredAnswer {
  readonly fingerprint: Uint8Array
  /** Null while the key is claimed by a command whose outcome is not known yet. */
  readonly answer: Uint8Array | null
  readonly created_at: string
}

export async function findAnswer(
  db: Database,
  owner: KeyOwner,
  since: string,
): Promise<StoredAnswer | undefined> {
  const [row] = await db.query<StoredAnswer>(
    'SELECT fingerprint, answer, created_at FROM idempotency_keys WHERE organization_id = $1 AND owner_id = $2 AND key = $3 AND created_at > $4',
    [...owner, since],
  )
  return row
}

export async function putAnswer(db: Database, owner: KeyOwner, stored: StoredAnswer): Promise<void> {
  await db.query(
    `INSERT INTO idempotency_keys (organization_id, owner_id, key, fingerprint, answer, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (organization_id, owner_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`,
    [...owner, stored.fingerprint, stored.answer, stored.created_at],
  )
}

/** Replaces what is stored since `created_at`, unless an erasure has emptied it. Returns false if it has been stored anew, or deleted. */
export async function replaceAnswer(
  db: Database,
  owner: KeyOwner,
  answer: Uint8Array,
  created_at: string,
): Promise<boolean> {
  const rows = await db.query(
    'UPDATE idempotency_keys SET answer = CASE WHEN answer IS NOT NULL THEN $4::bytea END WHERE organization_id = $1 AND owner_id = $2 AND key = $3 AND created_at = $5 RETURNING key',
    [...owner, answer, created_at],
  )
  return rows.length > 0
}

/** Members, and the cards that are erased with them. */
export const idsOfErased = /(?:mem|crd)_[0-9a-z]{20}/g

/** Whether somebody of whom an answer tells was erased since it was begun, perhaps after the erasure has looked for answers. */
export async function isAboutErased(
  db: Database,
  [organization_id]: KeyOwner,
  text: string,
  since: string,
): Promise<boolean> {
  const ids = [...new Set(text.match(idsOfErased))]
  if (ids.length === 0) return false
  const rows = await db.query(
    `SELECT 1 FROM members WHERE organization_id = $1 AND id = ANY($2::text[]) AND erased_at >= $3
     UNION ALL SELECT 1 FROM erasures WHERE organization_id = $1 AND started_at >= $3 AND card_ids && $2::text[] LIMIT 1`,
    [organization_id, ids, since],
  )
  return rows.length > 0
}

/** Empties answers. The keys stay: a repeated request is refused, and does not create a person again. */
export async function emptyAnswers(
  db: Database,
  organizationId: string,
  places: readonly Place[],
): Promise<number> {
  const rows = await db.query(
    `UPDATE idempotency_keys k SET answer = NULL, fingerprint = $4 FROM unnest($2::text[], $3::text[]) AS f(owner_id, key)
     WHERE k.organization_id = $1 AND k.owner_id = f.owner_id AND k.key = f.key RETURNING 1`,
    [organizationId, places.map(({ owner_id }) => owner_id), places.map(({ key }) => key), randomBytes(32)],
  )
  return rows.length
}

export async function deleteAnswer(db: Database, owner: KeyOwner): Promise<void> {
  await db.query(
    'DELETE FROM idempotency_keys WHERE organization_id = $1 AND owner_id = $2 AND key = $3',
    owner,
  )
}
