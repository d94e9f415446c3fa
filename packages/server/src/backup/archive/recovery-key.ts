import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { BackupError } from './backup-error.ts'

/** Crockford's alphabet: no I, L, O or U, so that nothing is misread from paper. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const seedBytes = 30
const groupLength = 4
const groups = 13

/** What opens the backups of an installation. The private half exists on paper only. */
export interface RecoveryKey {
  /** 13 groups of four characters. The last group is the checksum of the others. */
  readonly text: string
  /** 32 raw bytes of X25519. */
  readonly public_key: Buffer
}

export function makeRecoveryKey(): RecoveryKey {
  const seed = randomBytes(seedBytes)
  const characters = encode(seed) + checksum(seed)
  const text = (characters.match(/.{4}/g) ?? []).join('-')
  return { text, public_key: publicHalf(privateHalf(seed)) }
}

/** Reads what a person typed: in any case, with any separators, and with the letters that look like digits. */
export function parseRecoveryKey(text: string, name = 'The recovery key'): KeyObject {
  const characters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const wrong = [...characters].find(character => !alphabet.includes(character))
  if (wrong !== undefined)
    throw new BackupError(
      `${name} has the character ${JSON.stringify(wrong)}: it has only digits and letters.`,
    )
  if (characters.length !== groups * groupLength)
    throw new BackupError(
      `${name} has ${characters.length} characters: it must have ${groups * groupLength}, in ${groups} groups of four.`,
    )
  const seed = decode(characters.slice(0, -groupLength))
  if (checksum(seed) !== characters.slice(-groupLength))
    throw new BackupError(
      `${name} is mistyped: its last group is the checksum of the others, and does not match.`,
    )
  return privateHalf(seed)
}

/** Names a public half. Backups say with it which recovery key opens them. */
export function recoveryKeyId(public_key: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from('gatehouse recovery key '), public_key])).slice(0, 8)
}

export function publicHalf(key: KeyObject): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
}

export function toPublicKey(raw: Uint8Array): KeyObject {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  })
}

/** The PKCS #8 frame of an X25519 key, before its 32 bytes. */
const frame = Buffer.from('302e020100300506032b656e04220420', 'hex')

function privateHalf(seed: Uint8Array): KeyObject {
  const raw = Buffer.from(hkdfSync('sha256', seed, '', 'gatehouse recovery key', 32))
  return createPrivateKey({ key: Buffer.concat([frame, raw]), format: 'der', type: 'pkcs8' })
}

/** 20 bits: one of a million mistyped keys passes, and then opens nothing. */
function checksum(seed: Uint8Array): string {
  return encode(Buffer.from(hash('sha256', seed, 'buffer'))).slice(0, groupLength)
}

function encode(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map(part => alphabet[Number.parseInt(part, 2)]).join('')
}

function decode(characters: string): Buffer {
  const bits = [...characters]
    .map(character => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(part => Number.parseInt(part, 2)))
}
