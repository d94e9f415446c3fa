import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

export interface CheckpointKey {
  /** Identifies the key in a checkpoint. */
  readonly public_key: string
  sign(text: string): string
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** Ed25519, derived from the service key: whoever has only the database cannot sign. */
export function checkpointKey(secret: Uint8Array): CheckpointKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse checkpoint', 32))
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  return {
    public_key: rawPublicKey(key),
    sign: text => sign(null, Buffer.from(text), key).toString('base64'),
  }
}

function rawPublicKey(key: KeyObject): string {
  const exported = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return exported.subarray(spki.length).toString('base64')
}

export function isSigned(publicKey: string, text: string, signature: string): boolean {
  const raw = Buffer.from(publicKey, 'base64')
  if (raw.length !== 32) return false
  const key = createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
