import { createHmac } from 'node:crypto'

/** The lookup key of a PIN or card, which is not stored itself: docs/device-protocol.md, "Policy". */
export function keyedHash(key: Uint8Array, kind: 'pin' | 'card', value: string): string {
  const text = kind === 'card' ? value.toUpperCase() : value
  return createHmac('sha256', key).update(`${kind}\0${text}`).digest().subarray(0, 16).toString('base64url')
}
