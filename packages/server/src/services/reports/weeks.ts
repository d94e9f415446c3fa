import { fromMilliseconds } from '@gatehouse-access/core'

type OffsetAt = (zone: string, at: string) => number

const hour = 3_600_000
const day = 24 * hour
/** The report is there when the office opens. */
const dueHour = 7

/** The last whole week, Monday to Sunday, by the clock of a zone. */
export function lastWeek(now: string, zone: string, offsetAt: OffsetAt): { from: string; until: string } {
  const monday = mondayOf(now, zone, offsetAt)
  return { from: atLocal(monday - 7 * day, zone, offsetAt), until: atLocal(monday, zone, offsetAt) }
}

/** When the report of the week that an instant lies in is due: on Monday morning. */
export function nextReport(now: string, zone: string, offsetAt: OffsetAt): string {
  const monday = mondayOf(now, zone, offsetAt)
  const due = [monday, monday + 7 * day].map(start => atLocal(start + dueHour * hour, zone, offsetAt))
  return due.find(at => at > now) ?? now
}

/** The local midnight that began the week, in milliseconds as if the zone were UTC. */
function mondayOf(now: string, zone: string, offsetAt: OffsetAt): number {
  const days = Math.floor((Date.parse(now) + offsetAt(zone, now) * 1000) / day)
  // The first of January 1970 was a Thursday.
  return (days - ((days + 3) % 7)) * day
}

/** The clocks may have changed in between, so the offset of the instant itself counts. */
function atLocal(local: number, zone: string, offsetAt: OffsetAt): string {
  const guess = fromMilliseconds(local - offsetAt(zone, fromMilliseconds(local)) * 1000)
  return fromMilliseconds(local - offsetAt(zone, guess) * 1000)
}
