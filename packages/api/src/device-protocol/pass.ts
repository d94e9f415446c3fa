import { optional, required, type Shape, shape } from '../kit/compounds.ts'
import { reference, text, timestamp } from '../kit/scalars.ts'

/**
 * A pass lets a phone open one device over Bluetooth or NFC, even while the device is offline. Its form is
 * `ghp1.<payload>.<signature>`, both in base64url. The payload is JSON in UTF-8. The signature is Ed25519
 * over the ASCII bytes of `ghp1.<payload>`.
 */
export const passPrefix = 'ghp1'
/** The maximum validity of a pass, in seconds. */
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
  /** The payload in base64url. */
  readonly payload: string
  /** The signature in base64url. */
  readonly signature: string
}

/**
 * Splits a pass into its parts; undefined when the text is not a pass. Do not trust the payload before the
 * signature is verified.
 */
export function splitPass(pass: string): PassText | undefined {
  const [, signed, payload, signature] =
    /^(ghp1\.([A-Za-z0-9_-]{1,2000}))\.([A-Za-z0-9_-]{86})$/.exec(pass) ?? []
  if (signed === undefined || payload === undefined || signature === undefined) return undefined
  return { signed, payload, signature }
}
