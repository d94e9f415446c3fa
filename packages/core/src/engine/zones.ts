import type { ZoneTable } from '../zone-table.ts'
import { beyondTable, outsideTable, type Stretch, stretchesOf } from './days/table-stretches.ts'
import { second } from './microseconds.ts'

export interface Zone {
  name: string
  current: Stretch
  /** Sorted and disjoint: those of the table, and around them those of the runtime, filled on demand. */
  stretches: Stretch[]
  /** The spans of the zone's table. Empty without one: then the runtime alone is asked. */
  table: readonly Stretch[]
}

/**
 * Used for a zone that the runtime does not know, and for an unknown time: there is no local time, so no
 * schedule is open.
 */
const nowhen: Stretch = { from: -Infinity, until: Infinity, offset: Number.NaN }
const noStretch: Stretch = { from: 0, until: 0, offset: 0 }

/** Only a question that spans centuries would need more. A discarded span is looked up again. */
const maxStretches = 1000

export function createZone(name: string, table: ZoneTable | null = null): Zone {
  const zone = { name, current: nowhen, stretches: [], table: [] }
  setTable(zone, table)
  return zone
}

export function setTable(zone: Zone, table: ZoneTable | null): void {
  zone.table = stretchesOf(table)
  zone.stretches = [...zone.table]
  zone.current = zone.table.length > 0 || isKnownZone(zone.name) ? noStretch : nowhen
}

function isKnownZone(name: string): boolean {
  try {
    return Boolean(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name))
  } catch {
    return false
  }
}

/** Most questions are about the present, so the last span is tried first. */
export function stretchAt(zone: Zone, at: number): Stretch {
  const current = zone.current
  if (at >= current.from && at < current.until) return current
  if (Number.isNaN(at)) return nowhen
  zone.current = recallStretch(zone, at) ?? learnStretch(zone, at)
  return zone.current
}

function recallStretch(zone: Zone, at: number): Stretch | undefined {
  const found = zone.stretches[countUpTo(zone.stretches, at) - 1]
  return found && at < found.until ? found : undefined
}

function learnStretch(zone: Zone, at: number): Stretch {
  const stretch = findStretch(zone, at)
  if (zone.stretches.length >= maxStretches) zone.stretches = [...zone.table]
  zone.stretches.splice(countUpTo(zone.stretches, at), 0, stretch)
  return stretch
}

function findStretch({ name, table }: Zone, at: number): Stretch {
  if (table.length === 0 || isKnownZone(name)) return outsideTable(readStretch(name, at), table, at)
  return beyondTable(table, at) ?? nowhen
}

function countUpTo(stretches: readonly Stretch[], at: number): number {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle] as Stretch).from <= at) low = middle + 1
    else high = middle
  }
  return low
}

function readStretch(name: string, at: number): Stretch {
  const local = Temporal.Instant.fromEpochNanoseconds(BigInt(at) * 1000n).toZonedDateTimeISO(name)
  const next = local.getTimeZoneTransition('next')
  // 'previous' is strictly before, but a transition at this very instant starts the span.
  const previous = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  return {
    from: previous ? previous.epochMilliseconds * 1000 : -Infinity,
    until: next ? next.epochMilliseconds * 1000 : Infinity,
    offset: (local.offsetNanoseconds / 1e9) * second,
  }
}
