import type { FileHandle } from 'node:fs/promises'
import { isRecord } from '../../flow/record.ts'
import { DamagedError } from './damaged-error.ts'
import type { WrappedKeys } from './wrapped-keys.ts'

const magic = Buffer.from('GATEHOUSE BACKUP 1\n')
const longest = 64 * 1024

/** What stands in front of the frames, readable without a key, and authenticated by every frame. */
export interface Header {
  /** What the file claims to be, compared with its name when it is read. */
  readonly name: string
  readonly keys: WrappedKeys
}

export function writeHeader(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([magic, length, text])
}

export interface ReadHeader {
  readonly header: Header
  /** The bytes as they are in the file. */
  readonly bytes: Buffer
}

export async function readHeader(file: FileHandle): Promise<ReadHeader> {
  const start = await readAt(file, 0, magic.length + 4)
  if (!start.subarray(0, magic.length).equals(magic))
    throw new DamagedError('it does not begin as a backup does')
  const length = start.readUInt32BE(magic.length)
  if (length > longest) throw new DamagedError('its header is too long')
  const text = await readAt(file, start.length, length)
  return { header: parseHeader(text.toString('utf8')), bytes: Buffer.concat([start, text]) }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new DamagedError('it ends within its header')
  return buffer
}

function parseHeader(text: string): Header {
  const found = parseJson(text)
  if (!isRecord(found) || typeof found.name !== 'string' || !isRecord(found.keys))
    throw new DamagedError('its header was altered')
  return found as unknown as Header
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DamagedError('its header was altered', { cause })
  }
}
