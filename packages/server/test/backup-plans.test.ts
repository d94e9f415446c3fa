import { describe, expect, test } from 'vitest'
import type { Manifest } from '../src/backup/archive/manifest.ts'
import { findGaps, findRanges } from '../src/backup/folder/coverage.ts'
import { chooseRemoval } from '../src/backup/folder/keep.ts'
import { formatLsn, parseLsn, segmentName } from '../src/backup/folder/lsn.ts'
import { type Piece, parsePieceName, pieceName } from '../src/backup/folder/pieces.ts'
import { choosePoint } from '../src/backup/restore/choose-point.ts'
import { isBaseDue, isDrillDue } from '../src/backup/schedule.ts'

const hour = 3600 * 1000
const at = (day: number, hours = 3) => new Date(Date.UTC(2026, 0, day, hours))

function base(finished: Date, lsn: bigint, line = 'a'): Manifest {
  const finished_at = finished.toISOString()
  const wal = {
    system_identifier: '1',
    timeline: 1,
    start_lsn: formatLsn(lsn),
    stop_lsn: formatLsn(lsn),
    wal_end: formatLsn(lsn),
    line,
  }
  return {
    id: `${line}-${finished_at}`,
    kind: 'physical',
    began_at: finished_at,
    finished_at,
    wal,
  } as unknown as Manifest
}

function piece(start: bigint, end: bigint, until: Date, line = 'a'): Piece {
  return { line, start, end, until: until.toISOString() }
}

const lines = (pieces: readonly Piece[]) => Map.groupBy(pieces, ({ line }) => line)

test('names of log files and pieces say where they lie', () => {
  expect(segmentName(1, parseLsn('1/FF000028'))).toBe('0000000100000001000000FF')
  expect(formatLsn(parseLsn('2A/1B0000C8'))).toBe('2A/1B0000C8')
  const one = piece(16n, 4096n, at(1))
  expect(parsePieceName('a', pieceName(one))).toEqual(one)
})

describe('what can be restored', () => {
  const now = at(20).toISOString()
  const pieces = [
    piece(0n, 10n, at(1, 4)),
    piece(10n, 20n, at(1, 5)),
    piece(20n, 30n, at(1, 6)),
    piece(30n, 40n, at(1, 7)),
  ]

  test('is every time from a backup to the end of the log that follows without a hole', () => {
    const ranges = findRanges([base(at(1), 5n)], lines(pieces))
    expect(choosePoint(ranges, at(1, 5).toISOString(), now)).toMatchObject({
      stops: true,
      pieces: pieces.slice(0, 2),
    })
    expect(choosePoint(ranges, 'latest', now)).toMatchObject({ target: at(1, 7).toISOString(), stops: false })
    expect(findGaps(ranges)).toEqual([])
    expect(() => choosePoint(ranges, at(1, 2).toISOString(), now)).toThrow('Nothing reaches back to')
    expect(() => choosePoint(ranges, at(2).toISOString(), now)).toThrow(
      'The archived log reaches to 2026-01-01T07',
    )
    expect(() => choosePoint(ranges, at(21).toISOString(), now)).toThrow('lies in the future')
  })

  test('ends before a piece that is missing, until the next backup', () => {
    const torn = pieces.filter((_, index) => index !== 1)
    const open = findRanges([base(at(1), 5n)], lines(torn))
    const reason = 'the log from 0/A to 0/14 of line a is missing'
    expect(findGaps(open)).toEqual([{ from: at(1, 4).toISOString(), to: null, reason }])
    const closed = findRanges([base(at(1), 5n), base(at(1, 6), 30n)], lines(torn))
    expect(findGaps(closed)).toEqual([{ from: at(1, 4).toISOString(), to: at(1, 6).toISOString(), reason }])
    expect(() => choosePoint(closed, at(1, 5).toISOString(), now)).toThrow(reason)
    expect(choosePoint(closed, at(1, 7).toISOString(), now).backup.finished_at).toBe(at(1, 6).toISOString())
  })

  test('may be on its way: the log before a new backup of the same line is no gap', () => {
    const ranges = findRanges([base(at(1), 5n), base(at(1, 9), 50n)], lines(pieces))
    expect(findGaps(ranges)).toEqual([])
    expect(() => choosePoint(ranges, at(1, 8).toISOString(), now)).toThrow(
      'The archived log reaches to 2026-01-01T07',
    )
  })

  test('never mixes two lines', () => {
    const other = [piece(40n, 50n, at(2, 5), 'b')]
    const ranges = findRanges([base(at(1), 5n), base(at(2), 40n, 'b')], lines([...pieces, ...other]))
    expect(findGaps(ranges)).toMatchObject([{ from: at(1, 7).toISOString(), to: at(2).toISOString() }])
  })
})

describe('prune', () => {
  test('keeps 7 days, 5 weeks, 12 months, the newest verified one, and what is younger than two days', () => {
    const daily = Array.from({ length: 400 }, (_, index) =>
      base(new Date(at(1).getTime() + index * 24 * hour), BigInt(index)),
    )
    const now = new Date(at(1).getTime() + 399.5 * 24 * hour)
    const verified = daily[3] as Manifest
    const removed = new Set(chooseRemoval(daily, new Map(), new Set([verified.id]), now).backups)
    const kept = daily.filter(({ id }) => !removed.has(id))
    expect(kept).toContain(verified)
    expect(kept.slice(-7)).toEqual(daily.slice(-7))
    expect(kept.length).toBeGreaterThanOrEqual(7 + 3 + 10 + 1)
    expect(kept.length).toBeLessThanOrEqual(7 + 5 + 12 + 1)
    const often = Array.from({ length: 40 }, (_, index) =>
      base(new Date(at(1).getTime() + index * hour), BigInt(index)),
    )
    expect(chooseRemoval(often, new Map(), new Set(), at(2, 20)).backups).toEqual([])
  })

  test('keeps the log since the oldest of the seven days, and none that continues nothing', () => {
    const bases = [1, 5, 6, 7, 8, 9, 10, 11].map(day => base(at(day), BigInt(day * 10)))
    const own = Array.from({ length: 12 }, (_, index) =>
      piece(BigInt(index * 10), BigInt(index * 10 + 10), at(index + 1)),
    )
    const removal = chooseRemoval(bases, lines([...own, piece(0n, 9n, at(1), 'gone')]), new Set(), at(13, 12))
    expect(removal.pieces.map(({ line, end }) => `${line} ${end}`)).toEqual([
      'a 10',
      'a 20',
      'a 30',
      'a 40',
      'a 50',
      'gone 9',
    ])
  })
})

test('a backup is due once a day, a drill once a week or the day after one that failed', () => {
  const local = (day: number, hours: number) => new Date(2026, 0, day, hours)
  expect(isBaseDue(undefined, local(5, 12), 0)).toBe(true)
  expect(isBaseDue(local(5, 3), local(5, 12), 0)).toBe(false)
  expect(isBaseDue(local(4, 4), local(5, 2), 0)).toBe(false)
  expect(isBaseDue(local(4, 2), local(4, 2.5), 0)).toBe(false)
  expect(isBaseDue(local(4, 2), local(5, 4), 0)).toBe(true)
  expect(isDrillDue(undefined, at(5))).toBe(true)
  expect(isDrillDue({ at: at(1).toISOString(), error: null }, at(7))).toBe(false)
  expect(isDrillDue({ at: at(1).toISOString(), error: 'torn' }, at(3))).toBe(true)
})
