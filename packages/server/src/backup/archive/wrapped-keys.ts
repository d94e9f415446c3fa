import {
  createCipheriv,
  createDecipheriv,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { keyId } from '../../vault/vault.ts'
import { publicHalf, recoveryKeyId, toPublicKey } from './recovery-key.ts'

const nonceLength = 12
const tagLength = 16

/** The key of one file, wrapped for each of those who may open it. */
export interface WrappedKeys {
  /** For the recovery key, by its id. */
  readonly recovery?: { readonly id: string; readonly from: string; readonly key: string }
  /** For the service, which verifies and drills by itself. */
  readonly service?: { readonly id: string; readonly key: string }
  /** In the clear, of an unencrypted backup: the format stays the same, and damage is still found. */
  readonly open?: string
}

/** Who may open what is written. Without a recovery key, everyone may. */
export interface Readers {
  readonly recovery_key: Uint8Array | undefined
  /** Undefined if not even the service that writes it shall open it again. */
  readonly service_key: Uint8Array | undefined
}

/** What a reader holds: one of these opens a file. */
export interface Keys {
  readonly recovery_key?: KeyObject | undefined
  readonly service_keys?: readonly Uint8Array[] | undefined
}

export function wrapKey(key: Buffer, { recovery_key, service_key }: Readers): WrappedKeys {
  if (!recovery_key) return { open: key.toString('base64') }
  return {
    recovery: wrapForRecovery(key, recovery_key),
    ...(service_key && { service: { id: keyId(service_key), key: seal(key, serviceWrap(service_key)) } }),
  }
}

/** Returns undefined if none of the keys opens it. */
export function unwrapKey(wrapped: WrappedKeys, keys: Keys): Buffer | undefined {
  if (wrapped.open !== undefined) return Buffer.from(wrapped.open, 'base64')
  return byRecovery(wrapped, keys) ?? byService(wrapped, keys)
}

function wrapForRecovery(key: Buffer, recovery_key: Uint8Array): NonNullable<WrappedKeys['recovery']> {
  const own = generateKeyPairSync('x25519')
  const from = publicHalf(own.privateKey)
  const secret = diffieHellman({ privateKey: own.privateKey, publicKey: toPublicKey(recovery_key) })
  return {
    id: recoveryKeyId(recovery_key),
    from: from.toString('base64'),
    key: seal(key, recoveryWrap(secret, from, recovery_key)),
  }
}

function byRecovery({ recovery }: WrappedKeys, { recovery_key }: Keys): Buffer | undefined {
  if (!recovery || !recovery_key) return undefined
  const own = publicHalf(recovery_key)
  if (recovery.id !== recoveryKeyId(own)) return undefined
  const from = Buffer.from(recovery.from, 'base64')
  const secret = diffieHellman({ privateKey: recovery_key, publicKey: toPublicKey(from) })
  return open(recovery.key, recoveryWrap(secret, from, own))
}

function byService({ service }: WrappedKeys, { service_keys = [] }: Keys): Buffer | undefined {
  const own = service && service_keys.find(candidate => keyId(candidate) === service.id)
  return own && service && open(service.key, serviceWrap(own))
}

function recoveryWrap(secret: Buffer, from: Uint8Array, to: Uint8Array): Buffer {
  const both = Buffer.concat([from, to])
  return Buffer.from(hkdfSync('sha256', secret, both, 'gatehouse backup for recovery', 32))
}

function serviceWrap(service_key: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', service_key, '', 'gatehouse backup for service', 32))
}

function seal(key: Buffer, wrap: Buffer): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', wrap, nonce)
  const body = Buffer.concat([cipher.update(key), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** Returns undefined if the wrapped key is damaged. */
function open(sealed: string, wrap: Buffer): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64')
  const nonce = bytes.subarray(0, nonceLength)
  const tag = bytes.subarray(nonceLength, nonceLength + tagLength)
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrap, nonce, { authTagLength: tagLength }).setAuthTag(
      tag,
    )
    return Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
  } catch {
    return undefined
  }
}
