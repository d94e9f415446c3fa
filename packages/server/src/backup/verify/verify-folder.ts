import { messageOf } from '../../flow/failures.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Keys } from '../archive/wrapped-keys.ts'
import { listBackups, listPieces } from '../folder/backup-folder.ts'
import type { Piece } from '../folder/pieces.ts'
import { findDamagedMarks, mark } from './marks.ts'
import { verifyBackup, verifyPiece } from './verify.ts'

/** What was found of one backup, or of the log of one line. */
export interface Verified {
  readonly id: string
  readonly kind: 'physical' | 'logical' | 'wal' | 'damaged'
  readonly files: number
  readonly is_whole: boolean
  /** A sentence about each file that is not as it was written. */
  readonly errors: readonly string[]
}

/** Reads all files of a backup folder, or those of one backup, and tells which are not as they were written. */
export async function verifyFolder(folder: string, keys: Keys, id?: string): Promise<Verified[]> {
  const { backups, damaged } = await listBackups(folder)
  const chosen = id === undefined ? backups : backups.filter(backup => backup.id === id)
  if (id !== undefined && chosen.length === 0 && !damaged.some(path => path.endsWith(`/${id}.manifest`)))
    throw new BackupError(`There is no backup ${id}: gatehouse backup list shows them.`)
  const found: Verified[] = []
  const marks = await findDamagedMarks(folder)
  for (const backup of chosen) {
    const errors = await gather([() => verifyBackup(folder, backup, keys)])
    if (errors.length === 0) await mark(folder, backup.id, 'verified').catch(() => undefined)
    found.push({ id: backup.id, kind: backup.kind, files: 2, is_whole: errors.length === 0, errors })
  }
  for (const path of damaged)
    found.push({
      id: path,
      kind: 'damaged',
      files: 1,
      is_whole: false,
      errors: [`${path} is damaged: it was altered`],
    })
  if (marks.length > 0)
    found.push({ id: 'marks', kind: 'damaged', files: marks.length, is_whole: false, errors: marks })
  if (id === undefined)
    for (const [line, pieces] of await listPieces(folder))
      found.push(await verifyLine(folder, line, pieces, keys))
  return found
}

async function verifyLine(
  folder: string,
  id: string,
  pieces: readonly Piece[],
  keys: Keys,
): Promise<Verified> {
  const errors = await gather(pieces.map(piece => () => verifyPiece(folder, piece, keys)))
  return { id, kind: 'wal', files: pieces.length, is_whole: errors.length === 0, errors }
}

async function gather(checks: readonly (() => Promise<void>)[]): Promise<string[]> {
  const errors: string[] = []
  for (const check of checks) await check().catch(error => errors.push(messageOf(error)))
  return errors
}
