import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, messageOf } from '../../flow/failures.ts'
import { BackupError } from '../archive/backup-error.ts'
import { type Manifest, parseManifest } from '../archive/manifest.ts'
import { giveToOwner } from './durable-file.ts'
import { type Piece, parsePieceName, pieceName } from './pieces.ts'

/** A backup in the folder, or a file that cannot be read as its manifest. */
export interface Found {
  readonly backups: readonly Manifest[]
  readonly damaged: readonly string[]
}

/** A name that sorts by time. */
export function makeId(now: string): string {
  return `${now.slice(0, 19).replace(/[-:]/g, '')}Z-${randomBytes(3).toString('hex')}`
}

export function manifestPath(folder: string, id: string): string {
  return join(folder, `${id}.manifest`)
}

export function archiveName(id: string): string {
  return `${id}.archive`
}

export function piecePath(folder: string, piece: Piece): string {
  return join(linePath(folder, piece.line), pieceName(piece))
}

export function linePath(folder: string, line: string): string {
  return join(folder, 'wal', line)
}

/** Returns the backups of a folder, oldest first. An archive without a manifest is none. */
export async function listBackups(folder: string): Promise<Found> {
  const names = (await readFolder(folder)).filter(name => name.endsWith('.manifest')).sort()
  const backups: Manifest[] = []
  const damaged: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    const manifest = await readManifest(path).catch(() => undefined)
    if (manifest && manifestPath(folder, manifest.id) === path) backups.push(manifest)
    else damaged.push(path)
  }
  return { backups, damaged }
}

async function readManifest(path: string): Promise<Manifest> {
  return parseManifest(await readFile(path, 'utf8'))
}

/** Returns the pieces of every line, by line and position. */
export async function listPieces(folder: string): Promise<Map<string, Piece[]>> {
  const pieces = new Map<string, Piece[]>()
  for (const line of await readFolder(join(folder, 'wal'), 'optional'))
    pieces.set(line, await listLine(folder, line))
  return pieces
}

export async function listLine(folder: string, line: string): Promise<Piece[]> {
  const names = await readFolder(linePath(folder, line), 'optional')
  return names.flatMap(name => parsePieceName(line, name) ?? []).sort(byPosition)
}

function byPosition(a: Piece, b: Piece): number {
  return a.start < b.start ? -1 : a.start > b.start ? 1 : a.end < b.end ? -1 : 1
}

/** Removes a backup. The manifest goes first: what is left of a backup when that is interrupted is none. */
export async function removeBackup(folder: string, id: string): Promise<void> {
  await rm(manifestPath(folder, id), { force: true })
  for (const mark of ['verified', 'drilled']) await rm(join(folder, `${id}.${mark}`), { force: true })
  await rm(join(folder, archiveName(id)), { force: true })
}

/**
 * Throws if backups cannot be written to the folder. Only a folder that was never used is created: one that
 * is missing later is unplugged, and its files must not go to the disk below its mount.
 */
export async function requireFolder(folder: string, isNew: boolean): Promise<void> {
  try {
    if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder')
  } catch (cause) {
    const reason = codeOf(cause) === 'ENOENT' ? 'it is not there; is it mounted?' : messageOf(cause)
    throw new BackupError(`The backup folder ${folder} cannot be used: ${reason}`, { cause })
  }
}

/** Whether something is mounted at the folder. */
export async function isMount(folder: string): Promise<boolean> {
  return (await stat(folder)).dev !== (await stat(dirname(folder))).dev
}

/** Creates the folder of a line. Never creates the backup folder itself. */
export async function makeLine(folder: string, line: string): Promise<void> {
  for (const path of [join(folder, 'wal'), linePath(folder, line)])
    await mkdir(path, { mode: 0o700 }).then(
      () => giveToOwner(path),
      error => {
        if (codeOf(error) !== 'EEXIST') throw error
      },
    )
}

async function readFolder(path: string, presence?: 'optional'): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (cause) {
    if (presence && codeOf(cause) === 'ENOENT') return []
    throw new BackupError(`The backup folder ${path} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}
