import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'
import { formatDate, formatDates } from '../parts/dates.ts'

export type Calendar = ItemOf<'calendars'>
export type CalendarDay = ObjectOf<Resources['calendar_day']>

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  return countries.of(code) ?? code
}

/** Returns where the days come from: `Holidays of Spain, MD`. */
export function sourceWords(source: Calendar['source']): string {
  if (!source) return 'Kept by hand'
  if (source.type === 'ics') return `Feed of ${source.host ?? 'another host'}`
  const { country = '', region } = source
  return `Holidays of ${countryName(country)}${region ? `, ${region}` : ''}`
}

/** Returns the dates of a day: `25 December, every year`. */
export function datesWords({ starts_on, ends_on, recurrence }: CalendarDay): string {
  if (recurrence === 'none') return formatDates(starts_on, ends_on)
  const [first, last] = [formatDate(starts_on, 'yearly'), ends_on && formatDate(ends_on, 'yearly')]
  return `${last && last !== first ? `${first} to ${last}` : first}, every year`
}

const errorWords: Readonly<Record<string, string>> = {
  suspicious: 'More than half of the days to come would be deleted, so nothing was changed.',
  suspicious_changed:
    'The feed has changed again since its days were held back. Look at it before you accept it.',
  address_refused: 'The address of the feed is not on the public internet.',
  name_not_found: 'The host of the feed does not exist.',
  connection_failed: 'Could not connect to the host of the feed.',
  tls_failed: 'The host of the feed has no valid certificate.',
  timeout: 'The feed did not answer in time.',
  redirected: 'The feed has moved. Enter its new address.',
  error_status: 'The host of the feed answered with an error.',
  too_large: 'The feed is larger than 5 MiB.',
  not_a_calendar: 'The answer is not a calendar.',
  too_many_days: 'The feed has more days than a calendar can hold.',
  unknown_country: 'The built-in tables no longer have this country or region.',
}

/** Handles unknown reasons too, because the service may be newer than this page. */
export function refreshErrorWords(error: string): string {
  return errorWords[error] ?? `Reason: ${error.replaceAll('_', ' ')}.`
}

/** Returns true if the days of the feed wait for somebody to accept them. */
export function isHeldBack({ refresh_error }: Calendar): boolean {
  return refresh_error?.startsWith('suspicious') ?? false
}
