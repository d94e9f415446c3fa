import type { SiteZone } from '@gatehouse-access/api'
import { t } from '../language/t.ts'
import { localTime } from './local-clock.ts'
import { browserZone, formatDay, formatMoment, formatWeekday } from './time.tsx'

/** Describes the local time at a door, with the weekday and the zone. It explains most denials. */
export function atTheDoor(at: string, zone?: SiteZone, now = Date.now()): string {
  const when = `${weekdayAt(at, zone)} (${zoneWords(zone?.timezone ?? browserZone)})`
  if (Math.abs(Date.parse(at) - now) < 60_000) return t(`At the door it is ${when}.`)
  return Date.parse(at) < now ? t(`At the door it was ${when}.`) : t(`At the door it will be ${when}.`)
}

export function nextOpening(next: string | null, zone?: SiteZone): string {
  if (!next) return t('It will not open within the following year either.')
  return t(`Access would next be allowed on ${weekdayAt(next, zone)}.`)
}

/** Returns `14 Nov 2026, 09:30` at a door, by the data of the service, if the zone is known. */
export function momentAt(at: string, zone: SiteZone | undefined): string {
  return zone ? formatMoment(localTime(zone, Date.parse(at)).toISOString(), 'UTC') : formatMoment(at)
}

/** Returns `14 Nov 2026` at a door, by the data of the service, if the zone is known. */
export function dayAt(at: string, zone: SiteZone | undefined): string {
  return zone ? formatDay(localTime(zone, Date.parse(at)).toISOString(), 'UTC') : formatDay(at)
}

/** By the data of the service, if the zone is known. */
function weekdayAt(at: string, zone: SiteZone | undefined): string {
  return zone ? formatWeekday(localTime(zone, Date.parse(at)).toISOString(), 'UTC') : formatWeekday(at)
}

/** Names the zone in which something is told, where it is not that of the browser. */
export function inZone(text: string, zone: SiteZone | undefined): string {
  const is_elsewhere = zone !== undefined && zone.timezone !== browserZone
  return text && is_elsewhere ? `${text} (${zoneWords(zone.timezone)})` : text
}

/** Returns a moment in other zones: `14 Nov 2026, 18:30 (Asia/Tokyo time)`. */
export function momentsIn(at: string, zones: readonly string[]): string[] {
  return zones.map(zone => `${formatMoment(at, zone)} (${zoneWords(zone)})`)
}

export function zoneWords(zone: string): string {
  return t(`${zone.replaceAll('_', ' ')} time`)
}
