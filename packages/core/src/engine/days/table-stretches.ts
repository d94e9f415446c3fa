import type { ZoneTable } from '../../zone-table.ts'
import { second, toMicroseconds } from '../microseconds.ts'

/** A span of time in which a zone has a constant offset: from inclusive, until exclusive, in microseconds. */
export interface Stretch {
  from: number
  until: number
  offset: number
}

/** Returns the spans of a table, sorted and without gaps; none without a table. */
export function stretchesOf(table: ZoneTable | null): Stretch[] {
  if (table === null) return []
  const [from, until] = [toMicroseconds(table.from), toMicroseconds(table.until)]
  const changes = table.changes.map(({ at, offset }) => ({ from: toMicroseconds(at), offset }))
  const starts = [{ from, offset: table.offset }, ...changes.filter(change => change.from > from)]
  return starts
    .filter(start => start.from < until)
    .map((start, index, all) => ({
      from: start.from,
      until: all[index + 1]?.from ?? until,
      offset: start.offset * second,
    }))
}

/** Cuts off the part of a span, which contains `at`, for which the table rules. */
export function outsideTable(stretch: Stretch, table: readonly Stretch[], at: number): Stretch {
  const [first, last] = [table[0], table.at(-1)]
  if (!first || !last) return stretch
  if (at < first.from) return { ...stretch, until: Math.min(stretch.until, first.from) }
  return { ...stretch, from: Math.max(stretch.from, last.until) }
}

/**
 * Returns the span around `at` of a zone that the runtime does not know: the first and the last offset of
 * the table go on, because an hour too early or too late is better than a closed building.
 */
export function beyondTable(table: readonly Stretch[], at: number): Stretch | undefined {
  const [first, last] = [table[0], table.at(-1)]
  if (!first || !last) return undefined
  const nearest = at < first.from ? first : last
  return outsideTable({ from: -Infinity, until: Infinity, offset: nearest.offset }, table, at)
}
