import { BackupError } from '../archive/backup-error.ts'
import type { Manifest } from '../archive/manifest.ts'
import { findGaps, type Range } from '../folder/coverage.ts'
import type { Piece } from '../folder/pieces.ts'

/** What is restored: a backup, the log that is applied to it, and where to stop in that. */
export interface Point {
  readonly backup: Manifest
  readonly pieces: readonly Piece[]
  /** The time that the restored database is of. */
  readonly target: string
  /** Whether to stop at the target. Otherwise all of the log is applied. */
  readonly stops: boolean
}

/** Finds what restores a time. Throws a sentence with the reason if nothing does. */
export function choosePoint(ranges: readonly Range[], target: string | 'latest', now: string): Point {
  const newest = ranges.reduce<Range | undefined>((a, b) => (!a || b.to >= a.to ? b : a), undefined)
  const oldest = ranges[0]
  if (!newest || !oldest)
    throw new BackupError('There is no physical backup in the backup folder: only those restore to a time.')
  if (target === 'latest') return pointOf(newest, newest.to, false)
  if (target > now) throw new BackupError(`${target} lies in the future.`)
  if (target < oldest.from)
    throw new BackupError(`Nothing reaches back to ${target}: the oldest backup restores to ${oldest.from}.`)
  const range = ranges.findLast(({ from, to }) => from <= target && target <= to)
  if (range) return pointOf(range, target, true)
  throw explainGap(ranges, target)
}

function explainGap(ranges: readonly Range[], target: string): BackupError {
  const gap = findGaps(ranges).find(({ from, to }) => from < target && (to === null || target < to))
  if (!gap)
    return new BackupError(
      `The archived log reaches to ${ranges.findLast(({ from }) => from <= target)?.to}, which is before ${target}: --to latest restores all that there is.`,
    )
  const until = gap.to === null ? 'now' : gap.to
  return new BackupError(`Nothing between ${gap.from} and ${until} can be restored, because ${gap.reason}.`)
}

function pointOf({ base, pieces }: Range, target: string, stops: boolean): Point {
  const last = stops ? pieces.findIndex(({ until }) => until >= target) : -1
  return { backup: base, pieces: last < 0 ? pieces : pieces.slice(0, last + 1), target, stops }
}

/** The state of a backup when it was made. */
export function pointOfBackup(backup: Manifest): Point {
  const target = backup.kind === 'logical' ? backup.began_at : backup.finished_at
  return { backup, pieces: [], target, stops: false }
}
