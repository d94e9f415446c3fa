import { createHmac } from 'node:crypto'

/** How a PIN or card is found without being stored: docs/device-protocol.md, "Policy". */
export function keyedHash(key: Uint8Array, kind: 'pin' | 'card', value: string): string {
  const text = kind === 'card' ? value.toUpperCase() : value
  return createHmac('sha256', key).update(`${kind}\0${text}`).digest().subarray(0, 16).toString('base64url')
}
