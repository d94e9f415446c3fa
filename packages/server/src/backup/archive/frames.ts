import { createCipheriv, createDecipheriv } from 'node:crypto'
import { DamagedError } from './damaged-error.ts'

/** Bytes of content in each frame but the last. */
export const frameSize = 1024 * 1024
const tagLength = 16
const lastMark = 0x8000_0000

/**
 * Encrypts bytes in frames: a length, then AES-256-GCM. The number of a frame is its nonce, under a key that
 * encrypts one file only. Number, header and whether it is the last are authenticated, so frames cannot be
 * moved, left out, taken from another file, or cut off at the end.
 */
export async function* encryptFrames(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  header: Buffer,
): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { content, is_last } of splitFrames(source))
    yield encryptFrame(content, { key, header, number: number++, is_last })
}

async function* splitFrames(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ content: Buffer; is_last: boolean }> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    held.push(chunk)
    length += chunk.length
    // A full frame is kept until more arrives, because it may be the last.
    while (length > frameSize) {
      const all = Buffer.concat(held)
      yield { content: all.subarray(0, frameSize), is_last: false }
      held = [all.subarray(frameSize)]
      length -= frameSize
    }
  }
  yield { content: Buffer.concat(held), is_last: true }
}

interface Frame {
  readonly key: Buffer
  readonly header: Buffer
  readonly number: number
  readonly is_last: boolean
}

function encryptFrame(content: Buffer, frame: Frame): Buffer {
  const cipher = createCipheriv('aes-256-gcm', frame.key, nonceOf(frame)).setAAD(contextOf(frame))
  const body = Buffer.concat([cipher.update(content), cipher.final()])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + (frame.is_last ? lastMark : 0))
  return Buffer.concat([length, body, cipher.getAuthTag()])
}

/** Decrypts what `encryptFrames` wrote. Throws a DamagedError at the first byte that is not as it was written. */
export async function* decryptFrames(
  source: AsyncIterable<Uint8Array>,
  key: Buffer,
  header: Buffer,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  let is_last = false
  for await (const chunk of source) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (;;) {
      if (is_last && rest.length > 0) throw new DamagedError('something follows its end')
      const mark = rest.length < 4 ? undefined : rest.readUInt32BE(0)
      const length = mark === undefined ? 0 : mark % lastMark
      if (length > frameSize) throw new DamagedError(`frame ${number} is too long`)
      if (mark === undefined || rest.length < 4 + length + tagLength) break
      is_last = mark >= lastMark
      yield decryptFrame(rest.subarray(4, 4 + length + tagLength), { key, header, number: number++, is_last })
      rest = rest.subarray(4 + length + tagLength)
    }
  }
  if (!is_last) throw new DamagedError(`it ends within frame ${number}`)
}

function decryptFrame(body: Buffer, frame: Frame): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', frame.key, nonceOf(frame), { authTagLength: tagLength })
  decipher.setAAD(contextOf(frame)).setAuthTag(body.subarray(-tagLength))
  try {
    return Buffer.concat([decipher.update(body.subarray(0, -tagLength)), decipher.final()])
  } catch (cause) {
    throw new DamagedError(`frame ${frame.number} was altered`, { cause })
  }
}

function nonceOf({ number }: Frame): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

function contextOf({ header, is_last }: Frame): Buffer {
  return Buffer.concat([header, Buffer.from([is_last ? 1 : 0])])
}
