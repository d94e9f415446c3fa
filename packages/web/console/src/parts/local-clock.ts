import type { ZoneTable } from '@gatehouse-access/core'

/** A table, with the name of its zone where it may be asked for times beyond it. */
type Table = ZoneTable & { readonly timezone?: string }

/** Returns the seconds east of UTC that the table says for an instant, given in milliseconds; beyond it, what the browser says. */
export function offsetAt(table: Table, at: number): number {
  const is_beyond = at < Date.parse(table.from) || at >= Date.parse(table.until)
  return (is_beyond ? offsetOf(table.timezone, at) : undefined) ?? offsetWithin(table, at)
}

function offsetWithin({ offset, changes }: ZoneTable, at: number): number {
  return changes.findLast(change => Date.parse(change.at) <= at)?.offset ?? offset
}

/** Undefined of a zone that the browser does not know. */
function offsetOf(timezone: string | undefined, at: number): number | undefined {
  if (timezone === undefined) return undefined
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
    return local.offsetNanoseconds / 1_000_000_000
  } catch {
    return undefined
  }
}

/** Returns the local date and time at an instant, as if it were UTC: the rest is ordinary arithmetic. */
export function localTime(table: Table, at: number): Date {
  return new Date(at + offsetAt(table, at) * 1000)
}

/** Returns the local date at an instant: `2026-12-24`. */
export function localDate(table: Table, at: number): string {
  return localTime(table, at).toISOString().slice(0, 10)
}

/** Returns the local clock at an instant: `18:00`. */
export function localClock(table: Table, at: number): string {
  return localTime(table, at).toISOString().slice(11, 16)
}

/**
 * Returns the instant at which the local clock shows a date and time, in milliseconds. Of two, the first one; a time
 * that is skipped counts as much later as the clocks go forward.
 */
export function instantAt(table: Table, wall: string): number {
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
