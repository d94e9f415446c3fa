import type { Manifest } from '../archive/manifest.ts'
import { parseLsn } from './lsn.ts'
import type { Piece } from './pieces.ts'

const daily = 7
const weekly = 5
const monthly = 12
/** Nothing younger is removed: what was wrong yesterday may be noticed today. */
const spared = 48 * 3600 * 1000

export interface Removal {
  readonly backups: readonly string[]
  readonly pieces: readonly Piece[]
}

/**
 * Decides what to remove: keeps the last backup of each of 7 days, 5 weeks and 12 months, of either kind, and
 * never removes the newest verified one. Every second is restored within the 7 days; older backups carry the
 * log that they themselves need.
 */
export function chooseRemoval(
  backups: readonly Manifest[],
  pieces: ReadonlyMap<string, readonly Piece[]>,
  verified: ReadonlySet<string>,
  now: Date,
): Removal {
  const kinds = ['physical', 'logical'] as const
  const kept = new Set(
    kinds.flatMap(kind =>
      keep(
        backups.filter(one => one.kind === kind),
        verified,
        now,
      ),
    ),
  )
  return {
    backups: backups.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    pieces: choosePieces(backups, pieces, now),
  }
}

function keep(backups: readonly Manifest[], verified: ReadonlySet<string>, now: Date): string[] {
  const newest = [...backups].sort((a, b) => (a.began_at < b.began_at ? 1 : -1))
  return [
    ...newest.filter(({ began_at }) => now.getTime() - Date.parse(began_at) < spared),
    ...newest.filter(({ id }) => verified.has(id)).slice(0, 1),
    ...lastOfEach(newest, dayOf, daily),
    ...lastOfEach(newest, weekOf, weekly),
    ...lastOfEach(newest, monthOf, monthly),
  ].map(({ id }) => id)
}

function lastOfEach(newest: readonly Manifest[], nameOf: (time: Date) => string, most: number): Manifest[] {
  const last = new Map<string, Manifest>()
  for (const backup of newest) {
    const name = nameOf(new Date(backup.began_at))
    if (!last.has(name) && last.size < most) last.set(name, backup)
  }
  return [...last.values()]
}

function dayOf(time: Date): string {
  return [time.getFullYear(), time.getMonth(), time.getDate()].join('-')
}

/** Weeks begin on Monday. */
function weekOf(time: Date): string {
  const monday = new Date(time.getFullYear(), time.getMonth(), time.getDate() - ((time.getDay() + 6) % 7))
  return dayOf(monday)
}

function monthOf(time: Date): string {
  return [time.getFullYear(), time.getMonth()].join('-')
}

/** The log is kept from the oldest of the daily backups on, and all that is younger than two days. */
function choosePieces(
  backups: readonly Manifest[],
  pieces: ReadonlyMap<string, readonly Piece[]>,
  now: Date,
): Piece[] {
  const physical = backups.filter(({ kind }) => kind === 'physical')
  const newest = [...physical].sort((a, b) => (a.began_at < b.began_at ? 1 : -1))
  const continued = lastOfEach(newest, dayOf, daily)
  return [...pieces].flatMap(([line, own]) => {
    const starts = continued
      .filter(({ wal }) => wal?.line === line)
      .map(({ wal }) => parseLsn(wal?.wal_end ?? '0/0'))
    const first = starts.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
    return own.filter(
      ({ end, until }) =>
        (first === undefined || end <= first) && now.getTime() - Date.parse(until) >= spared,
    )
  })
}
