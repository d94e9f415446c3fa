import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedError } from '../archive/damaged-error.ts'
import { readEntries } from '../archive/entries.ts'
import { checkManifest, type Manifest, parseManifest } from '../archive/manifest.ts'
import { naming, openArchive } from '../archive/read-archive.ts'
import type { Keys } from '../archive/wrapped-keys.ts'
import { manifestPath, piecePath } from '../folder/backup-folder.ts'
import { type Piece, pieceTitle } from '../folder/pieces.ts'

/** Reads all of a backup. Throws an error that names the file which is not as it was written. */
export async function verifyBackup(folder: string, { id }: Manifest, keys: Keys): Promise<void> {
  const path = manifestPath(folder, id)
  const text = await readFile(path, 'utf8').catch(error => Promise.reject(naming(path, error)))
  const manifest = readNamed(path, () => parseManifest(text))
  const archive = join(folder, manifest.archive.name)
  await using opened = await openArchive(archive, keys)
  readNamed(path, () => checkManifest(text, opened.key))
  await checkBytes(archive, manifest)
  for await (const entry of readEntries(opened.read())) for await (const _ of entry.content ?? []);
}

function readNamed<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw naming(path, error)
  }
}

async function checkBytes(path: string, { archive }: Manifest): Promise<void> {
  const { size } = await stat(path)
  if (size !== archive.bytes)
    throw new DamagedError(`${path} is damaged: it has ${size} bytes instead of ${archive.bytes}`)
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) digest.update(chunk)
  if (digest.digest('hex') !== archive.sha256)
    throw new DamagedError(`${path} is damaged: its SHA-256 is not that of its manifest`)
}

/** Reads all of a piece of the log. */
export async function verifyPiece(folder: string, piece: Piece, keys: Keys): Promise<void> {
  const path = piecePath(folder, piece)
  await using opened = await openArchive(path, keys, pieceTitle(piece))
  let bytes = 0n
  for await (const chunk of opened.read()) bytes += BigInt(chunk.length)
  if (bytes !== piece.end - piece.start)
    throw new DamagedError(`${path} is damaged: it has ${bytes} bytes of log`)
}
