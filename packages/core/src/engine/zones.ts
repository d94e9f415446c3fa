import { second } from './microseconds.ts'

/** A span of time in which a zone has a constant offset: from inclusive, until exclusive, in microseconds. */
export interface Stretch {
  from: number
  until: number
  offset: number
}

export interface Zone {
  name: string
  current: Stretch
  /** Sorted and disjoint. Filled on demand. */
  stretches: Stretch[]
}

/**
 * Used for a zone that the runtime does not know, and for an unknown time: there is no local time, so no
 * schedule is open.
 */
const nowhen: Stretch = { from: -Infinity, until: Infinity, offset: Number.NaN }
const noStretch: Stretch = { from: 0, until: 0, offset: 0 }

/** Only a question that spans centuries would need more. A discarded span is looked up again. */
const maxStretches = 1000

export function createZone(name: string): Zone {
  return { name, current: isKnownZone(name) ? noStretch : nowhen, stretches: [] }
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
  const stretch = readStretch(zone.name, at)
  if (zone.stretches.length >= maxStretches) zone.stretches = []
  zone.stretches.splice(countUpTo(zone.stretches, at), 0, stretch)
  return stretch
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
