import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../config/secret-key.ts'
import type { Database } from '../database/db.ts'
import { sealedAs } from '../vault/contexts.ts'
import { keyId, openVault } from '../vault/vault.ts'
import { type CheckpointKey, signingKey } from './signing.ts'

/** The audit keys derived from one service key. */
export interface AuditKey {
  /** The same ID as in the vault. */
  readonly id: string
  readonly link: Buffer
  readonly signing: CheckpointKey
}

/** All keys that may have sealed links or signed documents. The first one seals and signs new ones. */
export type AuditKeys = readonly [AuditKey, ...AuditKey[]]

const [idLength, codeLength] = [4, 16]

export function deriveAuditKey(secret: Uint8Array): AuditKey {
  return auditKey(keyId(secret), parts(secret))
}

function parts(secret: Uint8Array): Buffer {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${purpose}`, 32))
  return Buffer.concat([derive('audit link'), derive('checkpoint')])
}

function auditKey(id: string, both: Buffer): AuditKey {
  return { id, link: both.subarray(0, 32), signing: signingKey(both.subarray(32)) }
}

/** Returns the keys of the service keys, and the retired ones that a rotation stored under one of them. */
export async function loadAuditKeys(db: Database, secrets: SecretKeys): Promise<AuditKeys> {
  const vault = openVault(secrets)
  const rows = await db.query<{ id: string; ciphertext: Uint8Array }>('SELECT id, ciphertext FROM audit_keys')
  const kept = rows
    .filter(({ id, ciphertext }) => vault.canOpen(ciphertext, sealedAs.audit_key(id)))
    .map(({ id, ciphertext }) =>
      auditKey(id, Buffer.from(vault.decrypt(ciphertext, sealedAs.audit_key(id)), 'base64')),
    )
  const [first, ...others] = secrets
  return [deriveAuditKey(first), ...others.map(deriveAuditKey), ...kept]
}

/** Stores the audit keys of all but the first service key under the first, before those are retired. */
export async function keepAuditKeys(db: Database, secrets: readonly Uint8Array[]): Promise<void> {
  const vault = openVault(secrets)
  for (const secret of secrets.slice(1))
    await db.query('INSERT INTO audit_keys (id, ciphertext) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [
      keyId(secret),
      vault.encrypt(parts(secret).toString('base64'), sealedAs.audit_key(keyId(secret))),
    ])
}

/** Returns a MAC that proves that the service wrote `text`. */
export function seal(key: AuditKey, text: string): Buffer {
  return Buffer.concat([Buffer.from(key.id, 'hex'), code(key, text)])
}

function code({ link }: AuditKey, text: string): Buffer {
  return createHmac('sha256', link).update(text).digest().subarray(0, codeLength)
}

export type SealState = 'right' | 'missing' | 'unknown key' | 'wrong'

export function checkSeal(keys: readonly AuditKey[], text: string, given: Uint8Array | null): SealState {
  if (given === null) return 'missing'
  const held = Buffer.from(given)
  const key = keys.find(({ id }) => id === held.subarray(0, idLength).toString('hex'))
  if (!key) return 'unknown key'
  const rest = held.subarray(idLength)
  return rest.length === codeLength && timingSafeEqual(rest, code(key, text)) ? 'right' : 'wrong'
}

/** The hash covers all earlier links, so a seal over the hash and the position is enough. */
export function linkText(organizationId: string, number: number, hash: Buffer): string {
  return `link ${organizationId} ${number} ${hash.toString('hex')}`
}

export function originText(organizationId: string, number: number, hash: Buffer): string {
  return `origin ${organizationId} ${number} ${hash.toString('hex')}`
}

export function publicKeys(keys: readonly AuditKey[]): string[] {
  return keys.map(({ signing }) => signing.public_key)
}
