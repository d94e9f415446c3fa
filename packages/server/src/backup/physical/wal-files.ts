import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../flow/failures.ts'
import { BackupError } from '../archive/backup-error.ts'
import type { Entry } from '../archive/entries.ts'
import { formatLsn, segmentName, segmentSize, segmentStart } from '../folder/lsn.ts'

/**
 * Reads the log between two positions of one file. Up to the position that PostgreSQL has flushed, the file
 * does not change any more; behind it lies what the file held before it was reused.
 */
export async function readLog(
  database_dir: string,
  timeline: number,
  from: bigint,
  to: bigint,
): Promise<Buffer> {
  const path = join(database_dir, 'pg_wal', segmentName(timeline, from))
  const length = Number(to - from)
  const file = await open(path).catch(error => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new BackupError(`PostgreSQL has removed the log at ${formatLsn(from)} before it was archived.`)
  })
  try {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, Number(from - segmentStart(from)))
    if (bytesRead < length) throw new BackupError(`The log file ${path} is too short.`)
    return bytes
  } finally {
    await file.close()
  }
}

/** Splits a part of the log at the ends of its files. */
export function* splitLog(from: bigint, to: bigint): Generator<{ from: bigint; to: bigint }> {
  for (let at = from; at < to; ) {
    const end = segmentStart(at) + segmentSize
    const part = { from: at, to: end < to ? end : to }
    yield part
    at = part.to
  }
}

/** Yields the files of the log from the beginning of the one that holds `from`. */
export async function* readLogFiles(
  database_dir: string,
  timeline: number,
  from: bigint,
  to: bigint,
): AsyncGenerator<Entry> {
  for (const part of splitLog(segmentStart(from), to))
    yield {
      path: `pg_wal/${segmentName(timeline, part.from)}`,
      content: (async function* () {
        yield await readLog(database_dir, timeline, part.from, part.to)
      })(),
    }
}
