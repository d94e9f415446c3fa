import type { Database, Row } from '../../database/db.ts'
import { codeOf } from '../../flow/failures.ts'
import { digestFor, sealedAs } from '../../vault/contexts.ts'
import { openVault, type Vault } from '../../vault/vault.ts'

/** A column of secrets, and the vault context that each secret is bound to. */
export interface Sealed {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  readonly context: (row: Row) => string
  /** A keyed hash of the secret, which moves to the new key in the same statement. */
  readonly hash?: { readonly column: string; readonly purpose: (row: Row) => string }
}

const objectKey = ['organization_id', 'id']

export const everySealed: readonly Sealed[] = [
  {
    table: 'member_pins',
    key: objectKey,
    column: 'pin_ciphertext',
    context: row => sealedAs.member_pin(String(row.id)),
    hash: { column: 'pin_hash', purpose: row => digestFor.pin(String(row.organization_id)) },
  },
  {
    table: 'member_magic_links',
    key: objectKey,
    column: 'secret_ciphertext',
    context: row => sealedAs.member_magic_link(String(row.id)),
  },
  {
    table: 'webhooks',
    key: objectKey,
    column: 'secret_ciphertext',
    context: row => sealedAs.webhook(String(row.id)),
  },
  {
    table: 'calendars',
    key: objectKey,
    column: 'url_ciphertext',
    context: row => sealedAs.calendar(String(row.id)),
  },
  {
    table: 'jobs',
    key: objectKey,
    column: 'key_ciphertext',
    context: row => sealedAs.job(String(row.id)),
  },
  {
    table: 'notification_targets',
    key: objectKey,
    column: 'secret_ciphertext',
    context: row => sealedAs.notification_target(String(row.id)),
  },
  {
    table: 'idempotency_keys',
    key: ['organization_id', 'owner_id', 'key'],
    column: 'answer',
    context: row =>
      sealedAs.idempotent_answer(String(row.organization_id), String(row.owner_id), String(row.key)),
  },
  {
    table: 'audit_keys',
    key: ['id'],
    column: 'ciphertext',
    context: row => sealedAs.audit_key(String(row.id)),
  },
  {
    table: 'totp_keys',
    key: ['user_id'],
    column: 'secret',
    context: row => sealedAs.totp_key(String(row.user_id)),
  },
  {
    table: 'push_keys',
    key: ['id'],
    column: 'private_ciphertext',
    context: row => sealedAs.push_key(String(row.id)),
  },
  {
    table: 'push_subscriptions',
    key: ['id'],
    column: 'subscription_ciphertext',
    context: row => sealedAs.push_subscription(String(row.id)),
  },
  {
    table: 'certificates',
    key: ['directory', 'name'],
    column: 'key_ciphertext',
    context: row => sealedAs.certificate_key(String(row.directory), String(row.name)),
  },
  {
    table: 'acme_accounts',
    key: ['directory'],
    column: 'key_ciphertext',
    context: row => sealedAs.acme_account(String(row.directory)),
  },
]

export interface Rotation {
  readonly changed: number
  /** PINs that another member already has under the newest key. One of the two must be deleted first. */
  readonly conflicts: readonly string[]
  /** Secrets encrypted with a key that was not given. */
  readonly unreadable: readonly string[]
}

const batch = 1000

/**
 * Re-encrypts every secret with the first key. Each batch is its own small statement, so that the rotation
 * can be stopped and run again at any time and blocks no one. A secret that changes meanwhile keeps the new
 * value. Every running server must hold all the keys, because it may read secrets of each.
 */
export async function rotateSecrets(
  db: Database,
  secretKeys: readonly Uint8Array[],
  onProgress: (done: number, total: number) => void,
): Promise<Rotation> {
  const conflicts: string[] = []
  const unreadable: string[] = []
  let changed = 0
  const vault = openVault(secretKeys)
  const total = await countSecrets(db)
  let done = 0
  onProgress(0, total)
  for (const sealed of everySealed)
    for await (const rows of readBatches(db, sealed)) {
      const fresh = rows.flatMap(row => reseal(vault, sealed, row, unreadable))
      changed += await storeBatch(db, sealed, fresh, conflicts)
      done += rows.length
      onProgress(done, Math.max(done, total))
    }
  return { changed, conflicts, unreadable }
}

/** Counts the secrets that are not yet encrypted with the first key. */
export async function countStale(db: Database, secretKeys: readonly Uint8Array[]): Promise<number> {
  const vault = openVault(secretKeys)
  let stale = 0
  for (const sealed of everySealed)
    for await (const rows of readBatches(db, sealed))
      stale += rows.filter(row => !vault.isCurrent(secretIn(row, sealed.column))).length
  return stale
}

const sample = 20

/**
 * Returns the context of a secret that none of the keys opens, from a sample at both ends of each table. A
 * wrong key opens no secret, and after an interrupted rotation the secrets of a missing key lie at one end.
 */
export async function findForeignSecret(
  db: Database,
  secretKeys: readonly Uint8Array[],
): Promise<string | undefined> {
  const vault = openVault(secretKeys)
  for (const { table, key, column, context } of everySealed)
    for (const direction of ['ASC', 'DESC']) {
      const order = key.map(name => `${name} ${direction}`).join(', ')
      const rows = await db.query<Row>(
        `SELECT ${key.join(', ')}, ${column} FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${order} LIMIT ${sample}`,
      )
      const foreign = rows.find(row => !vault.canOpen(secretIn(row, column), context(row)))
      if (foreign) return context(foreign)
    }
  return undefined
}

function secretIn(row: Row, column: string): Uint8Array {
  const held = row[column]
  if (!(held instanceof Uint8Array)) throw new Error(`${column} holds no bytes`)
  return held
}

async function countSecrets(db: Database): Promise<number> {
  const parts = everySealed.map(({ table, column }) => `(SELECT count(${column}) FROM ${table})`)
  const [row] = await db.query<{ total: string }>(`SELECT ${parts.join(' + ')} AS total`)
  return Number(row?.total)
}

async function* readBatches(db: Database, { table, key, column }: Sealed): AsyncGenerator<Row[]> {
  const columns = key.join(', ')
  const marks = key.map((_, index) => `$${index + 1}`).join(', ')
  for (let after: unknown[] = key.map(() => ''); ; ) {
    const rows = await db.query<Row>(
      `SELECT ${columns}, ${column} FROM ${table} WHERE (${columns}) > (${marks}) AND ${column} IS NOT NULL ORDER BY ${columns} LIMIT ${batch}`,
      after,
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = key.map(name => last[name])
  }
}

interface Fresh {
  readonly [name: string]: unknown
  readonly held: string
  readonly sealed: string
  readonly hashed: string | undefined
}

function reseal(
  vault: Vault,
  { key, column, context, hash }: Sealed,
  row: Row,
  unreadable: string[],
): Fresh[] {
  const held = Buffer.from(secretIn(row, column))
  if (vault.isCurrent(held)) return []
  try {
    const secret = vault.decrypt(held, context(row))
    const sealed = vault.encrypt(secret, context(row))
    const hashed = hash && vault.digests(secret, hash.purpose(row))[0]
    const names = Object.fromEntries(key.map(name => [name, row[name]]))
    return [
      {
        ...names,
        held: held.toString('hex'),
        sealed: sealed.toString('hex'),
        hashed: hashed?.toString('hex'),
      },
    ]
  } catch {
    unreadable.push(context(row))
    return []
  }
}

async function storeBatch(
  db: Database,
  sealed: Sealed,
  fresh: readonly Fresh[],
  conflicts: string[],
): Promise<number> {
  if (fresh.length === 0) return 0
  try {
    return await storeFresh(db, sealed, fresh)
  } catch (error) {
    if (codeOf(error) !== '23505') throw error
    if (fresh.length > 1) return storeEach(db, sealed, fresh, conflicts)
    conflicts.push(String(fresh[0]?.id))
    return 0
  }
}

async function storeEach(
  db: Database,
  sealed: Sealed,
  fresh: readonly Fresh[],
  conflicts: string[],
): Promise<number> {
  let changed = 0
  for (const row of fresh) changed += await storeBatch(db, sealed, [row], conflicts)
  return changed
}

async function storeFresh(db: Database, { table, key, column, hash }: Sealed, fresh: readonly Fresh[]) {
  const sets = [`${column} = decode(f.sealed, 'hex')`]
  if (hash) sets.push(`${hash.column} = decode(f.hashed, 'hex')`)
  const same = [...key.map(name => `t.${name} = f.${name}`), `t.${column} = decode(f.held, 'hex')`]
  const rows = await db.query(
    `UPDATE ${table} t SET ${sets.join(', ')} FROM jsonb_to_recordset($1::jsonb)
     AS f(${key.map(name => `${name} text`).join(', ')}, held text, sealed text, hashed text)
     WHERE ${same.join(' AND ')} RETURNING 1`,
    [fresh],
  )
  return rows.length
}
