import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Secrets at rest, encrypted with AES-256-GCM. `context` binds a ciphertext to its owner, so that it cannot
 * be decrypted in another row. The first key encrypts. All keys decrypt, until a rotation is complete.
 */
export interface Vault {
  encrypt(plaintext: string, context: string): Buffer
  decrypt(ciphertext: Uint8Array, context: string): string
  /** Returns digests under every key, the current one first, to find a value written with any of them. */
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

/** Returns the id of a key, which every ciphertext contains. It reveals nothing about the key. */
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
  return Buffer.concat([key.id, sealBytes(key.encryption, Buffer.from(plaintext), context)])
}

function decrypt(keys: readonly Key[], ciphertext: Buffer, context: string): string {
  const key = keys.find(({ id }) => id.equals(ciphertext.subarray(0, idLength)))
  if (!key) throw new Error('a secret was encrypted with a key that is not in GATEHOUSE_SECRET_KEY')
  return openBytes(key.encryption, ciphertext.subarray(idLength), context).toString('utf8')
}

function sealBytes(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const body = [cipher.update(plain), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...body])
}

function openBytes(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const iv = sealed.subarray(0, ivLength)
  const tag = sealed.subarray(ivLength, ivLength + tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()])
}

/** A key for the data of one object, which nobody can read once the key is removed. The vault encrypts the key itself. */
export interface OwnKey {
  seal(plain: Uint8Array, context: string): Buffer
  open(sealed: Uint8Array, context: string): Buffer
}

export function newOwnKey(): string {
  return randomBytes(32).toString('base64')
}

export function openOwnKey(text: string): OwnKey {
  const key = Buffer.from(text, 'base64')
  return {
    seal: (plain, context) => sealBytes(key, plain, context),
    open: (sealed, context) => openBytes(key, sealed, context),
  }
}

/** Returns a bearer secret of 256 random bits, with a prefix that secret scanners recognize. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** A plain digest is enough for secrets of 256 random bits, which cannot be guessed. */
export function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
