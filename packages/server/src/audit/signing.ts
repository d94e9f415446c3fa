import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface CheckpointKey {
  /** Identifies the key in a checkpoint. */
  readonly public_key: string
  sign(text: string): string
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** Creates an Ed25519 key from a seed of the service key: the database alone is not enough to sign. */
export function signingKey(seed: Uint8Array): CheckpointKey {
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

/** Returns the content as one line of JSON, followed by a line with its signature. */
export function signDocument(key: CheckpointKey, content: object): string {
  const line = JSON.stringify({ ...content, public_key: key.public_key })
  return `${line}\n${key.sign(line)}\n`
}

/** Returns undefined if not signed with the key that it names. The caller must check whose key that is. */
export function readDocument<Content extends object>(
  document: string,
): (Content & { readonly public_key: string }) | undefined {
  const [line = '', signature = ''] = document.split('\n')
  try {
    const content = JSON.parse(line)
    return isSigned(content.public_key, line, signature) ? content : undefined
  } catch {
    return undefined
  }
}

/** Like `readDocument`, for trusted keys only. */
export function readTrusted<Content extends object>(
  document: string,
  publicKeys: readonly string[],
): Content | undefined {
  const content = readDocument<Content>(document)
  return content && publicKeys.includes(content.public_key) ? content : undefined
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
