import { optional, required, type Shape, shape } from '../kit/compounds.ts'
import { reference, text, timestamp } from '../kit/scalars.ts'

/**
 * A pass lets a phone open one device by Bluetooth or NFC, also while the device is offline:
 * `ghp1.<payload>.<signature>`, both in base64url. The payload is JSON in UTF-8; the signature is Ed25519 over the
 * ASCII bytes of `ghp1.<payload>`.
 */
export const passPrefix = 'ghp1'
/** Seconds a pass may be valid at the most. */
export const longestPass = 86_400

const parts = {
  id: required(text(64), 'Identifies the pass.'),
  key_id: required(text(64), 'The key it is signed with, one of `pass_keys`.'),
  member_id: required(reference('member'), 'The member who presents it.'),
  device_id: required(reference('device'), 'The device it is valid for.'),
  credential_id: optional(
    text(64),
    'The link, email or token it was fetched with. The pass is no longer valid once that is deleted.',
  ),
  issued_at: required(timestamp, 'Not valid before.'),
  expires_at: required(timestamp, 'Expiry, at most 24 h after `issued_at`.'),
}
export const passPayload = shape(parts)
export type PassPayload = Shape<typeof parts>

export interface PassText {
  /** The text that the signature covers. */
  readonly signed: string
  /** base64url of the payload. */
  readonly payload: string
  /** base64url of the signature. */
  readonly signature: string
}

/** The parts of a pass; undefined when it is none. What it says counts only once the signature has been verified. */
export function splitPass(pass: string): PassText | undefined {
  const [, signed, payload, signature] =
    /^(ghp1\.([A-Za-z0-9_-]{1,2000}))\.([A-Za-z0-9_-]{86})$/.exec(pass) ?? []
  if (signed === undefined || payload === undefined || signature === undefined) return undefined
  return { signed, payload, signature }
}
