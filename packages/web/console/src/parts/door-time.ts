import type { SiteZone } from '@gatehouse-access/api'
import { isOfTime } from '../events/reason-words.ts'
import { t } from '../language/t.ts'
import {
  browserZone,
  formatDay,
  formatExact,
  formatMoment,
  formatWeekday,
  haveSameClock,
} from './format-time.ts'
import { localTime } from './local-clock.ts'

interface Denied {
  readonly reason?: string | null
  readonly next_allowed_at?: string | null
}

/** Describes the local time at a door, with the weekday and the zone. It explains most denials. */
export function atTheDoor(at: string, zone?: SiteZone, now = Date.now()): string {
  const when = `${weekdayAt(at, zone)} (${zoneWords(zone?.timezone ?? browserZone)})`
  if (Math.abs(Date.parse(at) - now) < 60_000) return t(`At the door it is ${when}.`)
  return Date.parse(at) < now ? t(`At the door it was ${when}.`) : t(`At the door it will be ${when}.`)
}

/** Empty of a denial that no later time would change. */
export function nextOpening({ next_allowed_at: next, reason }: Denied, zone?: SiteZone): string {
  if (!next) return isOfTime(reason) ? t('It will not open within the following year either.') : ''
  return t(`Access would next be allowed on ${weekdayAt(next, zone)}.`)
}

/** Tells times at a door, by the data of the service, if the zone is known. */
function atDoors(format: typeof formatMoment) {
  return (at: string, zone: SiteZone | undefined): string =>
    zone ? format(localTime(zone, Date.parse(at)).toISOString(), 'UTC') : format(at)
}

/** Returns `14 Nov 2026, 09:30` at a door. */
export const momentAt = atDoors(formatMoment)

/** Returns `14 Nov 2026, 09:30:05` at a door. */
export const exactAt = atDoors(formatExact)

/** Returns `14 Nov 2026` at a door. */
export const dayAt = atDoors(formatDay)

const weekdayAt = atDoors(formatWeekday)

/** Names the zone in which something is told, where its clock is not that of the browser. */
export function inZone(text: string, zone: Pick<SiteZone, 'timezone'> | undefined): string {
  const is_elsewhere = zone !== undefined && !haveSameClock(zone.timezone)
  return text && is_elsewhere ? `${text} (${zoneWords(zone.timezone)})` : text
}

/** Returns a moment in other zones: `14 Nov 2026, 18:30 (Asia/Tokyo time)`. */
export function momentsIn(at: string, zones: readonly string[]): string[] {
  return zones.map(zone => `${formatMoment(at, zone)} (${zoneWords(zone)})`)
}

export function zoneWords(zone: string): string {
  return zone === 'UTC' ? t('UTC time') : t(`${zone.replaceAll('_', ' ')} time`)
}
