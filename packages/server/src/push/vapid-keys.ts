import { createECDH } from 'node:crypto'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { present } from '../flow/present.ts'
import { sealedAs } from '../vault/contexts.ts'
import type { Vault } from '../vault/vault.ts'

/** Both in base64url, as browsers and push services expect them. */
export interface VapidKeys {
  readonly public_key: string
  readonly private_key: string
}

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
}

interface Stored {
  readonly public_key: string
  readonly private_ciphertext: Uint8Array
}

const id = 'vapid'

/**
 * Returns the key pair of this installation, and makes it the first time. Of processes that make one at the
 * same time, the first wins. It is read each time: a restored database has the pair of its own time.
 */
export async function findVapidKeys({ db, clock, vault }: Needs): Promise<VapidKeys> {
  const stored = (await read(db)) ?? (await make({ db, clock, vault }))
  const { public_key, private_ciphertext } = stored
  return { public_key, private_key: vault.decrypt(private_ciphertext, sealedAs.push_key(id)) }
}

async function read(db: Database): Promise<Stored | undefined> {
  const [row] = await db.query<Stored>('SELECT public_key, private_ciphertext FROM push_keys WHERE id = $1', [
    id,
  ])
  return row
}

async function make({ db, clock, vault }: Needs): Promise<Stored> {
  const pair = createECDH('prime256v1')
  const public_key = pair.generateKeys('base64url')
  // Leading zeros belong to the key.
  const private_key = pair.getPrivateKey('hex').padStart(64, '0')
  const sealed = vault.encrypt(Buffer.from(private_key, 'hex').toString('base64url'), sealedAs.push_key(id))
  await db.query(
    `INSERT INTO push_keys (id, public_key, private_ciphertext, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING`,
    [id, public_key, sealed, clock.now()],
  )
  return present(await read(db), 'the key pair')
}
