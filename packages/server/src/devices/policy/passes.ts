import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { longestPass, type PassKey, type PassPayload, passPrefix } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../flow/clock.ts'

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const rawLength = 32

interface SigningKey {
  readonly private_key: KeyObject
  readonly public: PassKey
}

/** Derives an Ed25519 key from the service key. It is not stored, so the database alone cannot sign. */
function signingKey(secret: Uint8Array): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse device pass', 32))
  const private_key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(private_key).export({ format: 'der', type: 'spki' }).subarray(-rawLength)
  const id = createHash('sha256').update(raw).digest('base64url').slice(0, 16)
  return { private_key, public: { id, public_key: raw.toString('base64url') } }
}

/** Returns the public keys of every service key in use, since a pass may outlive a rotation by a day. */
export function passKeysOf({ secret_keys }: Pick<Config, 'secret_keys'>): PassKey[] {
  return secret_keys.map(secret => signingKey(secret).public)
}

export interface PassWish {
  readonly member_id: string
  readonly device_id: string
  /** The link, email or token that fetched the pass. Devices refuse the pass once it is deleted. */
  readonly credential_id?: string
  /** Validity in seconds. At most 24 h, which is the default. */
  readonly seconds?: number
}

export interface Pass {
  readonly pass: string
  readonly expires_at: string
}

/**
 * Issues a pass with which a member's phone opens one device. The pass only proves who presents it: the
 * device decides about access each time. The caller must ensure that both are in the same organization.
 */
export function issuePass(
  context: { config: Pick<Config, 'secret_keys'>; clock: Clock },
  wish: PassWish,
): Pass {
  const [secret] = context.config.secret_keys
  if (!secret) throw new Error('there is no service key')
  const key = signingKey(secret)
  const issued_at = context.clock.now()
  const expires_at = addSeconds(issued_at, Math.min(wish.seconds ?? longestPass, longestPass))
  const payload: PassPayload = {
    id: randomBytes(12).toString('base64url'),
    key_id: key.public.id,
    member_id: wish.member_id,
    device_id: wish.device_id,
    ...(wish.credential_id && { credential_id: wish.credential_id }),
    issued_at,
    expires_at,
  }
  const signed = `${passPrefix}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`
  return {
    pass: `${signed}.${sign(null, Buffer.from(signed), key.private_key).toString('base64url')}`,
    expires_at,
  }
}
