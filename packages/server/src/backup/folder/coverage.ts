import type { Manifest } from '../archive/manifest.ts'
import { formatLsn, parseLsn } from './lsn.ts'
import type { Piece } from './pieces.ts'

/** The times that a physical backup restores to, with the log that continues it. */
export interface Range {
  readonly base: Manifest
  readonly from: string
  readonly to: string
  readonly pieces: readonly Piece[]
  /** Why the log does not go on, if it was archived further. */
  readonly hole: string | undefined
}

/** A time that nothing restores to. `to` is null while it lasts. */
export interface Gap {
  readonly from: string
  readonly to: string | null
  readonly reason: string
}

/** Returns what each physical backup restores to, oldest first. */
export function findRanges(
  backups: readonly Manifest[],
  pieces: ReadonlyMap<string, readonly Piece[]>,
): Range[] {
  return backups
    .filter(({ kind }) => kind === 'physical')
    .map(base => findRange(base, pieces.get(base.wal?.line ?? '') ?? []))
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

function findRange(base: Manifest, line: readonly Piece[]): Range {
  const chain: Piece[] = []
  let reach = parseLsn(base.wal?.wal_end ?? '0/0')
  let to = base.finished_at
  let hole: string | undefined
  for (const piece of line) {
    if (piece.start > reach) {
      hole = `the log from ${formatLsn(reach)} to ${formatLsn(piece.start)} of line ${piece.line} is missing`
      break
    }
    if (piece.end > reach) {
      chain.push(piece)
      reach = piece.end
    }
    if (piece.until > to) to = piece.until
  }
  return { base, from: base.finished_at, to, pieces: chain, hole }
}

/**
 * Returns the times between the oldest backup and now that nothing restores to. The log before a new backup may
 * still be on its way: only where its line does not go on, or has a hole, it never comes.
 */
export function findGaps(ranges: readonly Range[]): Gap[] {
  const gaps: Gap[] = []
  const current = lineOf(ranges.at(-1))
  let last: Range | undefined
  for (const range of ranges) {
    const isOnItsWay =
      !last?.hole && lineOf(last) === current && lineOf(range) === current && current !== null
    if (last && range.from > last.to && !isOnItsWay)
      gaps.push({ from: last.to, to: range.from, reason: reasonAfter(last) })
    if (!last || range.to >= last.to) last = range
  }
  if (last?.hole) gaps.push({ from: last.to, to: null, reason: last.hole })
  return gaps
}

function lineOf(range: Range | undefined): string | null {
  return range?.base.wal?.line ?? null
}

function reasonAfter({ hole, base }: Range): string {
  return hole ?? (base.wal?.line ? 'the log was not archived' : 'no log is archived with it')
}
