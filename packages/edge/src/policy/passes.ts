import { createPublicKey, verify } from 'node:crypto'
import type { PassKey, PassPayload } from '@gatehouse-access/api'
import { longestPass, splitPass } from '@gatehouse-access/api/device-protocol/pass'
import { type DenialReason, toMicroseconds } from '@gatehouse-access/core'
import type { Moment } from '../clock.ts'

type PassProblem = Extract<DenialReason, 'pass_invalid' | 'pass_expired' | 'clock_unsure'>

/** The member of a pass, and the credential that it was fetched with. */
export interface Bearer {
  readonly member_id: string
  readonly credential_id: string | undefined
}

/** The tolerance for an issuer's clock that is ahead, in microseconds. */
const leeway = 120 * 1e6

/** Verifies a pass offline. Returns its member, or why it is refused: docs/device-protocol.md, "Passes". */
export function readPass(
  pass: string,
  keys: readonly PassKey[],
  deviceId: string | undefined,
  now: Moment,
): Bearer | PassProblem {
  const payload = openPass(pass, keys)
  if (!payload || payload.device_id !== deviceId) return 'pass_invalid'
  const [issued, expires] = [toMicroseconds(payload.issued_at), toMicroseconds(payload.expires_at)]
  if (expires - issued > longestPass * 1e6) return 'pass_invalid'
  if (!now.is_sure) return 'clock_unsure'
  const { member_id, credential_id } = payload
  return now.time >= issued - leeway && now.time < expires ? { member_id, credential_id } : 'pass_expired'
}

function openPass(pass: string, keys: readonly PassKey[]): PassPayload | undefined {
  const parts = splitPass(pass)
  if (!parts) return undefined
  try {
    const payload: PassPayload = JSON.parse(Buffer.from(parts.payload, 'base64url').toString('utf8'))
    const key = keys.find(({ id }) => id === payload.key_id)
    const signature = Buffer.from(parts.signature, 'base64url')
    return key && verify(null, Buffer.from(parts.signed), publicKey(key), signature) ? payload : undefined
  } catch {
    return undefined
  }
}

function publicKey({ public_key }: PassKey) {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key }, format: 'jwk' })
}
