/** The digits of Crockford's base 32, which omits characters that are easily confused. */
export const crockfordDigits = '0123456789abcdefghjkmnpqrstvwxyz'

/** `<prefix>_` + 20 characters of lowercase Crockford base32: 48 bits of milliseconds, 52 random bits. */
const suffixPattern = /^[0-9a-hjkmnp-tv-z]{20}$/

/**
 * Ids sort by creation, because the milliseconds come first. Uses the first 52 bits of `random` (7 bytes).
 */
export function makeId(prefix: string, milliseconds: number, random: Uint8Array): string {
  let suffix = ''
  let [held, bits] = [0, 0]
  const write = (value: number, length: number) => {
    held = ((held << length) | value) & 0xfff
    for (bits += length; bits >= 5; bits -= 5) suffix += crockfordDigits[(held >> (bits - 5)) & 31]
  }
  for (let power = 40; power >= 0; power -= 8) write(Math.floor(milliseconds / 2 ** power) & 0xff, 8)
  for (let index = 0; index < 6; index++) write(random[index] ?? 0, 8)
  write((random[6] ?? 0) & 0x0f, 4)
  return `${prefix}_${suffix}`
}

export function isId(prefix: string, value: string): boolean {
  return value.startsWith(`${prefix}_`) && suffixPattern.test(value.slice(prefix.length + 1))
}

export function idPattern(prefix: string): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{20}$`
}

/** Returns the creation time of an id, in milliseconds. */
export function idMilliseconds(id: string): number {
  let bits = 0n
  for (const character of id.slice(id.lastIndexOf('_') + 1))
    bits = (bits << 5n) | BigInt(crockfordDigits.indexOf(character))
  return Number(bits >> 52n)
}
