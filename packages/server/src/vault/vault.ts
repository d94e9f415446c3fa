import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets at rest. AES-256-GCM, bound to what they belong to by `context`, so that a ciphertext moved to another row
 * does not open. The first key encrypts; all keys decrypt, until a rotation has re-encrypted everything.
 */
export interface Vault {
  encrypt(plaintext: string, context: string): Buffer
  decrypt(ciphertext: Uint8Array, context: string): string
  /** Digests under every key, the current one first: to find a value whichever key its row was written with. */
  digests(value: string, purpose: string): Buffer[]
  canOpen(ciphertext: Uint8Array, context: string): boolean
  isCurrent(ciphertext: Uint8Array): boolean
}

interface Key {
  readonly id: Buffer
  readonly encryption: Buffer
  readonly lookup: Buffer
}

const idLength = 4
const ivLength = 12
const tagLength = 16

export function openVault(secretKeys: readonly Uint8Array[]): Vault {
  const keys = secretKeys.map(deriveKey)
  const current = keys[0]
  if (!current) throw new Error('a vault needs at least one key')
  const open = (ciphertext: Uint8Array, context: string) => decrypt(keys, Buffer.from(ciphertext), context)
  return {
    encrypt: (plaintext, context) => encrypt(current, plaintext, context),
    decrypt: open,
    canOpen: (ciphertext, context) => {
      try {
        return open(ciphertext, context) !== undefined
      } catch {
        return false
      }
    },
    digests: (value, purpose) =>
      keys.map(key => createHmac('sha256', key.lookup).update(`${purpose}\0${value}`).digest()),
    isCurrent: ciphertext => current.id.equals(Buffer.from(ciphertext).subarray(0, idLength)),
  }
}

/** Names a key without telling anything of it, as every ciphertext does. */
export function keyId(secret: Uint8Array): string {
  return deriveKey(secret).id.toString('hex')
}

function deriveKey(secret: Uint8Array): Key {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${purpose}`, 32))
  return {
    id: derive('key id').subarray(0, idLength),
    encryption: derive('encryption'),
    lookup: derive('lookup'),
  }
}

function encrypt(key: Key, plaintext: string, context: string): Buffer {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key.encryption, iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return Buffer.concat([key.id, iv, cipher.getAuthTag(), body])
}

function decrypt(keys: readonly Key[], ciphertext: Buffer, context: string): string {
  const key = keys.find(({ id }) => id.equals(ciphertext.subarray(0, idLength)))
  if (!key) throw new Error('a secret was encrypted with a key that is not in GATEHOUSE_SECRET_KEY')
  const iv = ciphertext.subarray(idLength, idLength + ivLength)
  const tag = ciphertext.subarray(idLength + ivLength, idLength + ivLength + tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key.encryption, iv, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
  const body = ciphertext.subarray(idLength + ivLength + tagLength)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

/** A bearer secret of 256 random bits with a prefix that secret scanners recognise. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** For secrets of 256 random bits a plain digest is enough: there is nothing to guess. */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
