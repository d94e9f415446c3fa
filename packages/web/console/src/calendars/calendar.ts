import type { ObjectOf, Resources } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { formatDate, formatDates } from '../parts/dates.ts'

export type Calendar = ItemOf<'calendars'>
export type CalendarDay = ObjectOf<Resources['calendar_day']>

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  return countries.of(code) ?? code
}

/** Returns where the days come from: `Holidays of Spain, Comunidad de Madrid`. */
export function sourceWords(source: Calendar['source'], region_name?: string): string {
  if (!source) return t('Kept by hand')
  if (source.type === 'ics') return t(`Feed of ${source.host ?? t('another host')}`)
  const { country = '', region } = source
  return t(`Holidays of ${countryName(country)}${region ? `, ${region_name ?? region}` : ''}`)
}

/** Returns the dates of a day: `25 December, every year`. */
export function datesWords({ starts_on, ends_on, recurrence }: CalendarDay): string {
  if (recurrence === 'none') return formatDates(starts_on, ends_on)
  const [first, last] = [formatDate(starts_on, 'yearly'), ends_on && formatDate(ends_on, 'yearly')]
  return t(`${last && last !== first ? t(`${first} to ${last}`) : first}, every year`)
}

const errorWords: Readonly<Record<string, string>> = {
  suspicious: t('More than half of the days to come would be deleted, so nothing was changed.'),
  suspicious_changed: t(
    'The feed has changed again since its days were held back. Look at it before you accept it.',
  ),
  address_refused: t('The address of the feed is not on the public internet.'),
  name_not_found: t('The host of the feed does not exist.'),
  connection_failed: t('Could not connect to the host of the feed.'),
  tls_failed: t('The host of the feed has no valid certificate.'),
  timeout: t('The feed did not answer in time.'),
  redirected: t('The feed has moved. Enter its new address.'),
  error_status: t('The host of the feed answered with an error.'),
  too_large: t('The feed is larger than 5 MiB.'),
  not_a_calendar: t('The answer is not a calendar.'),
  too_many_days: t('The feed has more days than a calendar can hold.'),
  unknown_country: t('The built-in tables no longer have this country or region.'),
}

/** Handles unknown reasons too, because the service may be newer than this page. */
export function refreshErrorWords(error: string): string {
  return errorWords[error] ?? t(`Reason: ${error.replaceAll('_', ' ')}.`)
}

/** Returns true if the days of the feed wait for somebody to accept them. */
export function isHeldBack({ refresh_error }: Calendar): boolean {
  return refresh_error?.startsWith('suspicious') ?? false
}
