import type { SecretKeys } from '../../config/secret-key.ts'
import { connect } from '../../database/db.ts'
import { messageOf } from '../../flow/failures.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Manifest } from '../archive/manifest.ts'
import { listBackups, listPieces } from '../folder/backup-folder.ts'
import { findRanges, type Range } from '../folder/coverage.ts'
import { parseLsn } from '../folder/lsn.ts'
import { changeState, type Drill, readNote } from '../folder/own-files.ts'
import { choosePoint, type Point, pointOfBackup } from '../restore/choose-point.ts'
import { makeDraft, requireSpace } from '../restore/draft.ts'
import { loadInto } from '../restore/restore-logical.ts'
import { recoverInto } from '../restore/restore-physical.ts'
import { checkRestored } from './check-restored.ts'
import { mark } from './marks.ts'

export interface DrillOptions {
  readonly folder: string
  readonly data_dir: string
  readonly secret_keys: SecretKeys
  readonly run_as?: string | undefined
  /** A certain backup. Otherwise the newest, with all of the log that follows it. */
  readonly id?: string | undefined
  /** Bytes a second that are unpacked. */
  readonly pace?: number
  readonly signal?: AbortSignal
}

/**
 * Restores a backup into a temporary folder, on a socket that nobody else uses, checks what came out, and
 * throws it away. The outcome is noted beside the database, and at the backup if it passed.
 */
export async function runDrill(options: DrillOptions): Promise<Drill> {
  const { data_dir, folder } = options
  const point = await chooseDrill(options)
  const note = { id: point.backup.id, at: new Date().toISOString() }
  await requireSpace(data_dir, point)
  try {
    await rehearse(options, point)
    await mark(folder, point.backup.id, 'drilled')
    return await keep(data_dir, { ...note, reached: point.target, error: null })
  } catch (error) {
    if (options.signal?.aborted) return { ...note, reached: null, error: 'the drill was interrupted' }
    return keep(data_dir, { ...note, reached: null, error: messageOf(error) })
  }
}

async function keep(data_dir: string, drill: Drill): Promise<Drill> {
  await changeState(data_dir, { drill })
  return drill
}

async function chooseDrill({ folder, id }: DrillOptions): Promise<Point> {
  const { backups } = await listBackups(folder)
  const newest = id === undefined ? backups.at(-1) : backups.find(backup => backup.id === id)
  if (!newest)
    throw new BackupError(
      id ? `There is no backup ${id}: gatehouse backup list shows them.` : 'There is no backup yet.',
    )
  if (id !== undefined || newest.kind === 'logical') return pointOfBackup(newest)
  const ranges = findRanges([newest], await listPieces(folder))
  return choosePoint(ranges, 'latest', newest.finished_at)
}

async function rehearse(options: DrillOptions, point: Point): Promise<void> {
  await requireWholeLog(options, point.backup)
  await using draft = await makeDraft(options.data_dir, 'drill-', options.run_as)
  const keys = { service_keys: options.secret_keys }
  const restore = point.backup.kind === 'physical' ? recoverInto : loadInto
  await using recovered = await restore(draft, { ...options, point, keys })
  await using db = connect(recovered.connection, 2)
  await checkRestored(db, point.backup, options.secret_keys)
}

/** Throws if log is missing that was archived: in between, or at the end. */
async function requireWholeLog({ folder, data_dir }: DrillOptions, backup: Manifest): Promise<void> {
  // Read first, because more may be archived meanwhile.
  const line = await readNote(data_dir, 'line')
  const [range] = findRanges([backup], await listPieces(folder))
  if (range?.hole) throw new BackupError(`After the backup ${backup.id}, ${range.hole}.`)
  if (!range || !line || line.id !== backup.wal?.line || parseLsn(line.next) <= endOf(range)) return
  throw new BackupError(
    `After the backup ${backup.id}, the end of the archived log of line ${line.id} is missing.`,
  )
}

function endOf({ base, pieces }: Range): bigint {
  return pieces.at(-1)?.end ?? parseLsn(base.wal?.wal_end ?? '0/0')
}
