import { hash } from 'node:crypto'

const algorithm = 'sha256'
/** Bytes that SHA-256 takes at a time. */
const block = 64
const digestLength = 32

/** A key as HMAC mixes it in, before the message and before the digest of that. */
export interface HmacKey {
  readonly inner: Buffer
  readonly outer: Buffer
}

export function hmacKey(key: Buffer): HmacKey {
  const short = key.length > block ? hash(algorithm, key, 'buffer') : key
  return { inner: padded(short, 0x36), outer: padded(short, 0x5c) }
}

function padded(key: Buffer, pad: number): Buffer {
  return Buffer.alloc(block, pad).map((byte, at) => byte ^ (key[at] ?? 0)) as Buffer
}

let message = Buffer.allocUnsafe(16 * 1024)
const digest = Buffer.allocUnsafe(block + digestLength)

/**
 * HMAC-SHA256 of `head` and `body`, by its definition: H(outer, H(inner, message)). Every delivery needs two, and an
 * object of the library for each of them costs more than all the hashing, which two plain calls do.
 */
export function hmac(key: HmacKey, head: string, body: Buffer, encoding: 'hex' | 'base64'): string {
  const end = block + Buffer.byteLength(head) + body.length
  if (message.length < end) message = Buffer.allocUnsafe(2 * end)
  key.inner.copy(message)
  const at = block + message.write(head, block)
  body.copy(message, at)
  key.outer.copy(digest)
  digest.write(hash(algorithm, message.subarray(0, end), 'latin1'), block, 'latin1')
  return hash(algorithm, digest, encoding)
}
