import { chown, type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { Account } from '../../database/embedded/account.ts'
import { DamagedError } from '../archive/damaged-error.ts'
import { type Entry, readEntries } from '../archive/entries.ts'
import { openArchive } from '../archive/read-archive.ts'
import type { Keys } from '../archive/wrapped-keys.ts'
import { piecePath } from '../folder/backup-folder.ts'
import { segmentName, segmentSize, segmentStart } from '../folder/lsn.ts'
import { type Piece, pieceTitle } from '../folder/pieces.ts'
import { Pacer } from '../physical/pace.ts'

export interface UnpackOptions {
  /** Bytes a second. */
  readonly pace?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes that were written so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

/** Writes the files of an archive below a folder, for the account that will use them. */
export async function unpack(
  archive: string,
  keys: Keys,
  folder: string,
  account: Account | undefined,
  { pace = Number.POSITIVE_INFINITY, signal, onProgress }: UnpackOptions = {},
): Promise<void> {
  await using opened = await openArchive(archive, keys)
  let bytes = 0
  const pacer = new Pacer(pace)
  const made = new Set<string>()
  for await (const entry of readEntries(opened.read())) {
    const path = join(folder, checkPath(entry.path))
    await makeFolders(folder, entry.is_folder ? path : dirname(path), made, account)
    if (entry.is_folder) continue
    await writeFile(path, entry, account, async length => {
      signal?.throwIfAborted()
      bytes += length
      onProgress?.(bytes)
      await pacer.take(length)
    })
  }
}

function checkPath(path: string): string {
  if (path.startsWith('/') || normalize(path) !== path || path.startsWith('..'))
    throw new DamagedError(`it holds a file at ${JSON.stringify(path)}`)
  return path
}

async function makeFolders(
  root: string,
  path: string,
  made: Set<string>,
  account: Account | undefined,
): Promise<void> {
  if (path === root || made.has(path)) return
  await makeFolders(root, dirname(path), made, account)
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (account) await chown(path, account.uid, account.gid)
  made.add(path)
}

async function writeFile(
  path: string,
  { content = nothing(), mode = 0o600 }: Entry,
  account: Account | undefined,
  onWritten: (length: number) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    if (account) await file.chown(account.uid, account.gid)
    for await (const chunk of content) {
      await file.writeFile(chunk)
      await onWritten(chunk.length)
    }
    // Recovery reads whole files of the log.
    if (path.includes('/database/pg_wal/')) await file.truncate(Number(segmentSize))
  } finally {
    await file.close()
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Puts archived log where recovery looks for it. */
export async function unpackPieces(
  folder: string,
  pieces: readonly Piece[],
  keys: Keys,
  database: {
    readonly database_dir: string
    readonly timeline: number
    readonly account: Account | undefined
  },
): Promise<void> {
  for (const piece of pieces) {
    const path = join(database.database_dir, 'pg_wal', segmentName(database.timeline, piece.start))
    await using archive = await openArchive(piecePath(folder, piece), keys, pieceTitle(piece))
    const file = await openSegment(path)
    try {
      if (database.account) await file.chown(database.account.uid, database.account.gid)
      let position = Number(piece.start - segmentStart(piece.start))
      for await (const chunk of archive.read()) {
        await file.write(chunk, 0, chunk.length, position)
        position += chunk.length
      }
      // Recovery reads whole files. The zeros after the last record end it.
      await file.truncate(Number(segmentSize))
    } finally {
      await file.close()
    }
  }
}

async function openSegment(path: string): Promise<FileHandle> {
  return open(path, 'r+', 0o600).catch(() => open(path, 'w+', 0o600))
}
