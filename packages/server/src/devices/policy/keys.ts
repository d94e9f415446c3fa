import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Config } from '../../config/config.ts'

/**
 * Derives the key with which a device hashes PINs and cards from the service key, the device id and a
 * generation that grows with each new secret. Hashes of other devices or earlier generations do not help it.
 */
export function deviceKey(
  { secret_keys }: Pick<Config, 'secret_keys'>,
  deviceId: string,
  generation: number,
): Buffer {
  const [secret] = secret_keys
  if (!secret) throw new Error('there is no service key')
  return Buffer.from(hkdfSync('sha256', secret, '', `gatehouse device ${deviceId} ${generation}`, 32))
}

/** The hash that a device compares PINs and card UIDs with: 128 bits in base64url. */
export function hashCredential(key: Uint8Array, kind: 'pin' | 'card', value: string): string {
  return createHmac('sha256', key).update(`${kind}\0${value}`).digest().subarray(0, 16).toString('base64url')
}

export function hashFrames(frames: readonly string[]): string {
  const hash = createHash('sha256')
  for (const frame of frames) hash.update(frame)
  return hash.digest('hex')
}
