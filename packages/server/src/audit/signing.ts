import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface CheckpointKey {
  /** Identifies the key in a checkpoint. */
  readonly public_key: string
  sign(text: string): string
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** Ed25519, from a seed that the service key gives: whoever has only the database cannot sign. */
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

/** What is said, in one line, and its signature in the next. */
export function signDocument(key: CheckpointKey, content: object): string {
  const line = JSON.stringify({ ...content, public_key: key.public_key })
  return `${line}\n${key.sign(line)}\n`
}

/** Undefined: not signed with the key that it names. Whose key that is, is for the caller to judge. */
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

/** As above, and the key must be one of these. */
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
