import { keepAuditKeys } from '../../audit/keys.ts'
import { StartError } from '../../config/start-error.ts'
import type { Database } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import { keyId, openVault } from '../../vault/vault.ts'
import { findForeignSecret } from './key-rotation.ts'

interface Known {
  readonly id: string
  readonly word: Uint8Array
  readonly is_used: boolean
}

type Keys = readonly Uint8Array[]

/**
 * Compares the keys of this process with those the database knows. Throws if the process could write or read
 * a secret that some process cannot open:
 *
 * - The process must hold every key that was ever the first key of a process, until a rotation retires it.
 * - The first key must be known: used before, announced by a rotation, or once held behind a first key.
 *
 * Keys behind the first become known by being held. A database that knows no key accepts the first keys it
 * meets, if they open its secrets.
 */
export async function claimKeys(db: Database, keys: Keys, now: string): Promise<void> {
  await db.transaction(async inner => {
    await holdLock(inner, 'service_keys')
    const { refusal, is_new } = await judge(inner, keys)
    if (refusal) throw new StartError(refusal)
    // For keys from before this table existed, it is unknown whether a rotation finished: all count as used.
    await learn(inner, keys, now, is_new ? keys : keys.slice(0, 1))
  })
}

/** Returns a sentence if a process with these keys could not run on the database. Changes nothing. */
export async function findKeyFault(db: Database, keys: Keys): Promise<string | undefined> {
  return (await judge(db, keys)).refusal
}

async function judge(db: Database, keys: Keys): Promise<{ refusal: string | undefined; is_new: boolean }> {
  const known = await db.query<Known & object>('SELECT id, word, is_used FROM service_keys')
  const is_new = known.length === 0
  return { refusal: is_new ? await refuseNew(db, keys) : refuse(known, keys), is_new }
}

/** Registers a key before any process holds it, so that a process may start with it as its first key. */
export function announceKey(db: Database, key: Uint8Array, now: string): Promise<void> {
  return learn(db, [key], now, [])
}

/** Forgets every key but the first once no secret needs them. The audit chain keeps what it needs of them. */
export async function forgetOtherKeys(db: Database, keys: Keys): Promise<void> {
  const [first] = keys
  if (!first) return
  await keepAuditKeys(db, keys)
  await db.query('DELETE FROM service_keys WHERE id <> $1', [keyId(first)])
}

function refuse(known: readonly Known[], keys: Keys): string | undefined {
  const held = new Set(keys.map(keyId))
  const missing = known.find(({ id, is_used }) => is_used && !held.has(id))
  if (missing)
    return `GATEHOUSE_SECRET_KEY is wrong for this database: secrets in it are sealed with the key ${missing.id}, but the given keys are ${[...held].join(', ')}. Give the key that the database was used with, alone or with others; gatehouse keys rotate retires old ones.`
  const foreign = keys.find(key => !known.every(row => row.id !== keyId(key) || opens(key, row)))
  if (foreign)
    return `GATEHOUSE_SECRET_KEY is wrong for this database: the key ${keyId(foreign)} does not open the word that is sealed with it.`
  const [first] = keys
  if (first && !known.some(({ id }) => id === keyId(first)))
    return `The first key of GATEHOUSE_SECRET_KEY, ${keyId(first)}, is new to this database: first start every process with it after the old one, or use the key that gatehouse keys rotate creates.`
  return undefined
}

async function refuseNew(db: Database, keys: Keys): Promise<string | undefined> {
  const foreign = await findForeignSecret(db, keys)
  return foreign === undefined
    ? undefined
    : `GATEHOUSE_SECRET_KEY is wrong for this database: its keys do not open ${foreign}. Give the key that the database was used with.`
}

const word = 'gatehouse'

function opens(key: Uint8Array, { id, word: sealed }: Known): boolean {
  return openVault([key]).canOpen(sealed, `service key ${id}`)
}

async function learn(db: Database, keys: Keys, now: string, used: Keys): Promise<void> {
  for (const key of keys)
    await db.query(
      `INSERT INTO service_keys AS k (id, word, is_used, known_since) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET is_used = true WHERE excluded.is_used AND NOT k.is_used`,
      [keyId(key), openVault([key]).encrypt(word, `service key ${keyId(key)}`), used.includes(key), now],
    )
}
