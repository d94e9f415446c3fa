import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { encryptFrames } from './frames.ts'
import { writeHeader } from './header.ts'
import { type Readers, wrapKey } from './wrapped-keys.ts'

/** Where an archive goes. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>
}

export interface Written {
  /** Of the bytes in the file. */
  readonly bytes: number
  readonly sha256: string
  /** Of the content before compression. */
  readonly content_bytes: number
  /** The key of the file, for the manifest that belongs to it. */
  readonly key: Buffer
}

const level = { [constants.ZSTD_c_compressionLevel]: 1 }

/** Compresses, encrypts and writes the content under a new random key, which the header holds wrapped. */
export async function writeArchive(
  sink: Sink,
  about: { readonly name: string; readonly readers: Readers },
  content: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Written> {
  const key = randomBytes(32)
  const header = writeHeader({ name: about.name, keys: wrapKey(key, about.readers) })
  const digest = createHash('sha256')
  let [bytes, content_bytes] = [0, 0]
  const write = async (part: Uint8Array) => {
    digest.update(part)
    bytes += part.length
    await sink.write(part)
  }
  await write(header)
  await pipeline(
    Readable.from(
      count(content, length => (content_bytes += length)),
      { objectMode: false },
    ),
    createZstdCompress({ params: level, chunkSize: 256 * 1024 }),
    (compressed: AsyncIterable<Uint8Array>) => encryptFrames(compressed, key, header),
    async (frames: AsyncIterable<Buffer>) => {
      for await (const frame of frames) await write(frame)
    },
    { ...(signal && { signal }) },
  )
  return { bytes, sha256: digest.digest('hex'), content_bytes, key }
}

async function* count(
  content: AsyncIterable<Uint8Array>,
  add: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    add(chunk.length)
    yield chunk
  }
}
