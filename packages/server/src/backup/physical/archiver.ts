import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '../../database/db.ts'
import type { Readers } from '../archive/wrapped-keys.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { makeLine, piecePath } from '../folder/backup-folder.ts'
import { probeFolder, writeDurably } from '../folder/durable-file.ts'
import { formatLsn, parseLsn, segmentStart } from '../folder/lsn.ts'
import { changeState, type Line, readNote } from '../folder/own-files.ts'
import { type Piece, pieceTitle } from '../folder/pieces.ts'
import { advanceSlot, createSlot, findLogPlace, type LogPlace } from './slot.ts'
import { readLog, splitLog } from './wal-files.ts'

export interface ArchiverOptions {
  readonly db: Database
  readonly data_dir: string
  readonly folder: string
  readonly readers: Readers
  readonly onFile?: (path: string) => void
}

/** Before the first piece that reaches the present, nothing is known to be archived whole. */
const never = new Date(0).toISOString()

/**
 * Archives what PostgreSQL has written to its log since the last call, as pieces of a *line*. A line is one
 * unbroken stretch of the log of one timeline; a slot makes PostgreSQL keep what was not archived yet. Where
 * the slot was lost, or the database is another, a new line begins, and the next base backup continues it.
 *
 * A crash between a piece and the note of it archives the same log once more: pieces may overlap.
 */
export async function archiveLog(options: ArchiverOptions): Promise<Line> {
  const { db, data_dir } = options
  const now = new Date().toISOString()
  let line = await continueLine(options, await findLogPlace(db), now)
  const flushed = parseLsn((await findLogPlace(db)).flushed)
  if (parseLsn(line.next) < flushed) await makeLine(options.folder, line.id)
  for (const part of splitLog(parseLsn(line.next), flushed)) {
    // What lies before the end of an earlier part was not all committed before now.
    const until = part.to === flushed ? now : line.until
    await writePiece(options, line, { line: line.id, start: part.from, end: part.to, until })
    line = { ...line, next: formatLsn(part.to), until }
    await changeState(data_dir, { line })
    await advanceSlot(db, line.next)
  }
  return line
}

async function continueLine(
  { db, data_dir, folder }: ArchiverOptions,
  place: LogPlace,
  now: string,
): Promise<Line> {
  const line = await readNote(data_dir, 'line')
  if (line && isContinued(line, place)) return line
  // PostgreSQL keeps nothing for a folder that takes nothing.
  await probeFolder(folder)
  await createSlot(db)
  const { kept_from } = await findLogPlace(db)
  const begun: Line = {
    id: randomBytes(6).toString('hex'),
    system_identifier: place.system_identifier,
    timeline: place.timeline,
    began_at: now,
    next: formatLsn(segmentStart(parseLsn(kept_from ?? place.flushed))),
    until: never,
  }
  await changeState(data_dir, { line: begun })
  return begun
}

function isContinued(line: Line, { kept_from, system_identifier, timeline, flushed }: LogPlace): boolean {
  if (kept_from === null || segmentStart(parseLsn(kept_from)) > parseLsn(line.next)) return false
  if (parseLsn(line.next) > parseLsn(flushed)) return false
  return line.system_identifier === system_identifier && line.timeline === timeline
}

async function writePiece(
  { data_dir, folder, readers, onFile }: ArchiverOptions,
  line: Line,
  piece: Piece,
): Promise<void> {
  const bytes = await readLog(join(data_dir, 'database'), line.timeline, piece.start, piece.end)
  const path = piecePath(folder, piece)
  const content = (async function* () {
    yield bytes
  })()
  await writeDurably(path, sink => writeArchive(sink, { name: pieceTitle(piece), readers }, content))
  onFile?.(path)
}
