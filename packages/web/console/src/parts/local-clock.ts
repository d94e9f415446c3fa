import type { ZoneTable } from '@gatehouse-access/core'

/** Returns the seconds east of UTC that the table says for an instant, given in milliseconds. */
export function offsetAt({ offset, changes }: ZoneTable, at: number): number {
  return changes.findLast(change => Date.parse(change.at) <= at)?.offset ?? offset
}

/** Returns the local date and time at an instant, as if it were UTC: the rest is ordinary arithmetic. */
export function localTime(table: ZoneTable, at: number): Date {
  return new Date(at + offsetAt(table, at) * 1000)
}

/** Returns the local date at an instant: `2026-12-24`. */
export function localDate(table: ZoneTable, at: number): string {
  return localTime(table, at).toISOString().slice(0, 10)
}

/** Returns the local clock at an instant: `18:00`. */
export function localClock(table: ZoneTable, at: number): string {
  return localTime(table, at).toISOString().slice(11, 16)
}

/**
 * Returns the instant at which the local clock shows a date and time, in milliseconds. Of two, the first one; a time
 * that is skipped counts as much later as the clocks go forward.
 */
export function instantAt(table: ZoneTable, wall: string): number {
  const local = Date.parse(`${wall}Z`)
  const [before, after] = [-day, day].map(shift => offsetAt(table, local + shift) * 1000) as [number, number]
  const isShown = (offset: number) => localTime(table, local - offset).getTime() === local
  return local - (isShown(before) || !isShown(after) ? before : after)
}

const day = 86_400_000

/** Returns `+02:00`. */
export function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${part(minutes / 60)}:${part(minutes % 60)}`
}
