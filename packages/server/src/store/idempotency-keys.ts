import type { Database } from '../database/db.ts'

/** The scope of a key: responses are stored per organization and per application or user. */
export type KeyOwner = readonly [organization: string, owner: string, key: string]

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

/** Replaces what is stored since `created_at`. Returns false if it has been stored anew, or deleted. */
export async function replaceAnswer(
  db: Database,
  owner: KeyOwner,
  answer: Uint8Array,
  created_at: string,
): Promise<boolean> {
  const rows = await db.query(
    'UPDATE idempotency_keys SET answer = $4 WHERE organization_id = $1 AND owner_id = $2 AND key = $3 AND created_at = $5 RETURNING key',
    [...owner, answer, created_at],
  )
  return rows.length > 0
}

export async function deleteAnswer(db: Database, owner: KeyOwner): Promise<void> {
  await db.query(
    'DELETE FROM idempotency_keys WHERE organization_id = $1 AND owner_id = $2 AND key = $3',
    owner,
  )
}
