import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import { zoneWords } from '../parts/door-time.ts'
import type { Saying } from '../parts/plain-words.ts'
import { formatMoment } from '../parts/time.tsx'

/** Why an event of a calendar file is left out. */
const sayings: readonly Saying[] = [
  [/^it changes one occurrence/, () => t('it changes one occurrence of an event that repeats')],
  [/^one of its occurrences/, () => t('one of its occurrences is changed by another event')],
  [/^it has no DTSTART/, () => t('it has no start')],
  [/^its DTSTART is no date/, () => t('its start is no date')],
  [/^it has a time of day/, () => t('it has a time of day: only all-day events are taken')],
  [/^it starts in a time zone/, () => t('it starts in a time zone: only all-day events are taken')],
  [/^it does not last whole days/, () => t('it does not last whole days')],
  [/^it ends before/, () => t('it ends before it starts')],
  [/^it lasts longer than (\d+) days/, days => t(`it lasts longer than ${days} days`)],
  [/^it has further dates/, () => t('it has further dates (RDATE)')],
  [/^it has more than one rule/, () => t('it has more than one rule of recurrence')],
  [/^its EXDATE/, () => t('its exceptions (EXDATE) have a time of day, or are too many')],
  [/^it repeats without an end, but/, () => t('it repeats without an end, but not always (EXDATE)')],
  [/^it repeats, but not every year/, () => t('it repeats, but not every year')],
  [/^it repeats every (\d+) years without/, years => t(`it repeats every ${years} years without an end`)],
  [/^it repeats more than (\d+) times/, most => t(`it repeats more than ${most} times`)],
  [/^its RRULE names another day/, () => t('its rule (RRULE) names another day than it starts on')],
  [/^its RRULE has (?:an impossible )?(.+)/, part => t(`its rule (RRULE) has ${part}, which is not taken`)],
  [/^its last occurrence/, () => t('its last occurrence depends on a time zone')],
]

/** Returns a reason as it is if it is unknown, because the service may be newer than this page. */
export function skipWords(reason: string): string {
  for (const [pattern, say] of sayings) {
    const found = pattern.exec(reason)
    if (found) return say(...found.slice(1))
  }
  return reason
}

/** Returns `16 Mar 2027, 10:00 (UTC time)` for the start of an event in a file, `20270316T100000Z`. */
export function startWords(starts: string): string {
  const [, year, month, day, hour, minute, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(starts) ?? []
  const date = `${year}-${month}-${day}`
  if (Number.isNaN(Date.parse(`${date}T${hour ?? '00'}:${minute ?? '00'}Z`))) return starts
  if (!hour) return formatDate(date, 'plain')
  const moment = formatMoment(`${date}T${hour}:${minute}Z`, 'UTC')
  return utc ? `${moment} (${zoneWords('UTC')})` : moment
}
