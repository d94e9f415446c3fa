import { browserZone, formatWeekday } from './time.tsx'

/** Describes the local time at a door, with the weekday and the zone. It explains most denials. */
export function atTheDoor(at: string, zone = browserZone, now = Date.now()): string {
  const verb = Math.abs(Date.parse(at) - now) < 60_000 ? 'is' : Date.parse(at) < now ? 'was' : 'will be'
  return `At the door it ${verb} ${formatWeekday(at, zone)} (${zoneWords(zone)}).`
}

export function nextOpening(next: string | null, zone = browserZone): string {
  if (!next) return 'It will not open within the following year either.'
  return `Access would next be allowed on ${formatWeekday(next, zone)}.`
}

function zoneWords(zone: string): string {
  return `${zone.replaceAll('_', ' ')} time`
}
