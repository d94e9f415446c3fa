import type { Database } from '../database/db.ts'
import { sealedAs } from '../vault/contexts.ts'
import type { Vault } from '../vault/vault.ts'
import { AccountKey, newKey } from './acme/account-key.ts'
import type { Challenge } from './acme/obtain.ts'

/** One name at one authority. */
export interface Place {
  readonly directory: string
  readonly name: string
}

export interface Stored {
  readonly chain: string | null
  readonly key_ciphertext: Uint8Array | null
  readonly failures: number
  readonly attempt_at: string | null
}

export async function findCertificate(db: Database, { directory, name }: Place): Promise<Stored | undefined> {
  const [row] = await db.query<Stored>(
    'SELECT chain, key_ciphertext, failures, attempt_at FROM certificates WHERE directory = $1 AND name = $2',
    [directory, name],
  )
  return row
}

/** Longer than an attempt can take. A leader that dies is noticed sooner (events/life.ts). */
const lease = `clock_timestamp() + interval '6 minutes'`

/** Returns whether this process leads from now on. */
export async function takeLead(db: Database, { directory, name }: Place, owner: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO certificates AS c (directory, name, owner, owned_until) VALUES ($1, $2, $3, ${lease})
     ON CONFLICT (directory, name) DO UPDATE SET owner = excluded.owner, owned_until = excluded.owned_until
     WHERE c.owner = excluded.owner OR c.owned_until IS NULL OR c.owned_until < clock_timestamp() RETURNING 1`,
    [directory, name, owner],
  )
  return rows.length > 0
}

export async function giveLead(db: Database, { directory, name }: Place, owner: string): Promise<void> {
  await db.query(
    'UPDATE certificates SET owner = NULL, owned_until = NULL WHERE directory = $1 AND name = $2 AND owner = $3',
    [directory, name, owner],
  )
}

export async function storeCertificate(
  db: Database,
  vault: Vault,
  place: Place,
  owner: string,
  { chain, key }: { chain: string; key: string },
): Promise<void> {
  const { directory, name } = place
  await db.query(
    `UPDATE certificates SET chain = $4, key_ciphertext = $5, failures = 0, failure = NULL, attempt_at = NULL,
       owner = NULL, owned_until = NULL WHERE directory = $1 AND name = $2 AND owner = $3`,
    [directory, name, owner, chain, vault.encrypt(key, sealedAs.certificate_key(directory, name))],
  )
}

export async function storeFailure(
  db: Database,
  { directory, name }: Place,
  owner: string,
  { failure, attempt_at }: { failure: string; attempt_at: string },
): Promise<void> {
  await db.query(
    `UPDATE certificates SET failures = failures + 1, failure = $4, attempt_at = $5, owner = NULL, owned_until = NULL
     WHERE directory = $1 AND name = $2 AND owner = $3`,
    [directory, name, owner, failure, attempt_at],
  )
}

/** Returns the account key of the installation. Of processes that make one at once, the first wins. */
export async function openAccount(db: Database, vault: Vault, directory: string): Promise<AccountKey> {
  const context = sealedAs.acme_account(directory)
  await db.query(
    'INSERT INTO acme_accounts (directory, key_ciphertext) VALUES ($1, $2) ON CONFLICT (directory) DO NOTHING',
    [directory, vault.encrypt(newKey(), context)],
  )
  const [row] = await db.query<{ key_ciphertext: Uint8Array }>(
    'SELECT key_ciphertext FROM acme_accounts WHERE directory = $1',
    [directory],
  )
  if (!row) throw new Error('the account with the certificate authority is gone')
  return new AccountKey(vault.decrypt(row.key_ciphertext, context))
}

export async function storeChallenge(db: Database, challenge: Challenge, now: string): Promise<void> {
  const { token, kind, name, key_authorization } = challenge
  await db.query(
    'INSERT INTO acme_challenges (token, kind, name, key_authorization, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [token, kind, name, key_authorization, now],
  )
}

export async function listChallenges(db: Database): Promise<Challenge[]> {
  return db.query<Challenge>('SELECT token, kind, name, key_authorization FROM acme_challenges')
}

export async function removeChallenges(db: Database, name: string): Promise<void> {
  await db.query('DELETE FROM acme_challenges WHERE name = $1', [name])
}
