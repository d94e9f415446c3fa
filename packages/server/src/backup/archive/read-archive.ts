import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { messageOf } from '../../flow/failures.ts'
import { BackupError } from './backup-error.ts'
import { DamagedError } from './damaged-error.ts'
import { decryptFrames } from './frames.ts'
import { readHeader } from './header.ts'
import { type Keys, unwrapKey, type WrappedKeys } from './wrapped-keys.ts'

const piece = 1024 * 1024

/** An archive that is open for reading. */
export interface Archive extends AsyncDisposable {
  readonly key: Buffer
  /** Yields the content. Throws a DamagedError that names the file where it is not as it was written. */
  read(): AsyncGenerator<Buffer>
}

export async function openArchive(path: string, keys: Keys, name = basename(path)): Promise<Archive> {
  const file = await open(path)
  try {
    const { header, bytes } = await readHeader(file)
    if (header.name !== name) throw new DamagedError(`it was written as ${header.name}`)
    const key = unwrapKey(header.keys, keys)
    if (!key) throw noKey(path, header.keys, keys)
    return { key, read: () => readContent(path, file, key, bytes), [Symbol.asyncDispose]: () => file.close() }
  } catch (error) {
    await file.close()
    throw naming(path, error)
  }
}

async function* readContent(
  path: string,
  file: FileHandle,
  key: Buffer,
  header: Buffer,
): AsyncGenerator<Buffer> {
  const frames = decryptFrames(readPieces(file, header.length), key, header)
  const content = pipeline(Readable.from(frames, { objectMode: false }), createZstdDecompress(), () => {})
  try {
    for await (const chunk of content) yield chunk as Buffer
  } catch (error) {
    throw naming(path, error)
  }
}

async function* readPieces(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let position = from; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(piece), 0, piece, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function noKey(path: string, wrapped: WrappedKeys, { recovery_key }: Keys): Error {
  if (!wrapped.recovery) return new DamagedError('its header was altered')
  return new BackupError(
    recovery_key
      ? `The recovery key does not open ${path}: it was made for the recovery key ${wrapped.recovery.id}.`
      : `The service key does not open ${path}: the recovery key ${wrapped.recovery.id} does.`,
  )
}

/** Damage and unreadable files are told with the name of the file. */
export function naming(path: string, error: unknown): unknown {
  if (error instanceof BackupError || (error instanceof DamagedError && error.message.startsWith(path)))
    return error
  return new DamagedError(`${path} is damaged: ${messageOf(error)}`, { cause: error })
}
