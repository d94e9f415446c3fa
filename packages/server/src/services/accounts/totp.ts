import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Time-based one-time passwords (RFC 6238), as in authenticator apps: SHA-1, six digits, 30 seconds. */
const period = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a new 160-bit key in base32, the encoding that apps read. */
export function newTotpKey(): string {
  return [...randomBytes(32)].map(byte => alphabet[byte & 31]).join('')
}

/** Returns the URI that an app reads from the QR code. */
export function totpUri(key: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(issuer)}&digits=${digits}&period=${period}`
}

/**
 * Returns the time step of a code that is valid now: the current step or, if `before` is 1, the previous one,
 * for users who type slowly. Steps up to `last_step` have been used and are not accepted.
 */
export function findTotpStep(
  key: string,
  given: string,
  milliseconds: number,
  { last_step, before }: { last_step: number; before: 0 | 1 },
): number | undefined {
  const code = given.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const present = Math.floor(milliseconds / 1000 / period)
  return [present, present - before].find(step => step > last_step && isSame(totpAt(key, step), code))
}

export function totpAt(key: string, step: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', decodeBase32(key)).update(message).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
