import { useMemo } from 'react'
import type { LiveEvent } from '../live/stream.ts'
import { zoneWords } from '../parts/door-time.ts'
import { isKnownZone, isSameClock } from '../parts/format-time.ts'
import { browserZone, formatExact, formatMoment, formatShort, zoneMark } from '../parts/time.tsx'
import './events.css'

/** Returns the zone that a time is told in: that of the place, if its clock shows another time than the browser's. */
export function zoneAt(
  place: { readonly timezone?: string } | null | undefined,
  at: string,
): string | undefined {
  const zone = place?.timezone
  return zone && isKnownZone(zone) && !isSameClock(zone, Date.parse(at)) ? zone : undefined
}

/** Returns `14 Nov 2026, 09:30:05`, with the zone if it is one. */
export function exactWords(at: string, zone: string | undefined): string {
  return zone ? `${formatExact(at, zone)} (${zoneWords(zone)})` : formatExact(at)
}

/** Returns `14 Nov 2026, 09:30 GMT+9`: for a row of a list. */
export function momentWords(at: string, zone: string | undefined): string {
  return [formatMoment(at, zone), ...(zone ? [zoneMark(at, zone)] : [])].join(' ')
}

/** Returns `09:30:05 GMT+9`: for a line of a feed. */
export function shortWords(at: string, zone: string | undefined): string {
  return [formatShort(at, zone), ...(zone ? [zoneMark(at, zone)] : [])].join(' ')
}

interface UnmarkedZoneProps {
  readonly events: readonly Pick<LiveEvent, 'created_at' | 'object_site'>[]
}

/** Says once, above what happened in several zones, whose the times without a mark are. */
export function UnmarkedZone({ events }: UnmarkedZoneProps) {
  const is_mixed = useMemo(() => {
    const marked = events.filter(({ object_site, created_at }) => zoneAt(object_site, created_at)).length
    return marked > 0 && marked < events.length
  }, [events])
  return is_mixed && <p className="event-zone">Times without a zone: {zoneWords(browserZone)}</p>
}
