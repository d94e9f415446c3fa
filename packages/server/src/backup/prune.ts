import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  archiveName,
  linePath,
  listBackups,
  listPieces,
  piecePath,
  removeBackup,
} from './folder/backup-folder.ts'
import { isPartial } from './folder/durable-file.ts'
import { chooseRemoval, type Removal } from './folder/keep.ts'
import { listVerified } from './verify/marks.ts'

const day = 24 * 3600 * 1000

/** Removes what needs not be kept, and what interrupted backups have left. */
export async function pruneBackups(folder: string, now = new Date()): Promise<Removal> {
  const removal = await planRemoval(folder, now)
  for (const id of removal.backups) await removeBackup(folder, id)
  for (const piece of removal.pieces) await rm(piecePath(folder, piece), { force: true })
  await removeRemains(folder, now)
  await removeEmptyLines(folder)
  return removal
}

export async function planRemoval(folder: string, now = new Date()): Promise<Removal> {
  const { backups } = await listBackups(folder)
  return chooseRemoval(backups, await listPieces(folder), await listVerified(folder), now)
}

/** A line that goes on is created again with its next piece. */
async function removeEmptyLines(folder: string): Promise<void> {
  for (const [line, pieces] of await listPieces(folder))
    if (pieces.length === 0) await rmdir(linePath(folder, line)).catch(() => undefined)
}

/** Of drafts and of archives without a manifest, those that nobody can still be writing. */
async function removeRemains(folder: string, now: Date): Promise<void> {
  const { backups, damaged } = await listBackups(folder)
  const known = new Set(backups.map(({ id }) => archiveName(id)))
  const names = await readdir(folder, { recursive: true })
  for (const name of names) {
    const isLost = name.endsWith('.archive') && !known.has(name) && damaged.length === 0
    if (!isPartial(name) && !isLost) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && now.getTime() - found.mtimeMs > day) await rm(join(folder, name), { force: true })
  }
}
