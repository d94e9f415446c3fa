import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { localDate } from '../kit/local-date.ts'
import type { Action } from '../kit/resource.ts'
import { choice, flag, integer, localId, nameText, reference, text, timestamp } from '../kit/scalars.ts'
import { timeRanges } from './time-range.ts'

/** The most days that one answer tells. */
export const longestPreview = 400
export const daySources = ['weekday', 'special_day', 'exception'] as const

const dayParts = {
  date: required(localDate, 'The local date.'),
  source: required(choice(...daySources), 'What its times come from.'),
  kind: nullable(localId, 'The kind of the special day. Null for other sources.'),
  calendar_day_id: nullable(reference('calendar_day'), 'The day of a calendar that makes it special.'),
}

/** Of a rule that was checked: which times held that day. */
export const scheduleDay = shape(dayParts)

function period(usual: string) {
  const length = `Defaults to ${usual}. At most ${longestPreview} days.`
  return {
    from: { type: localDate, about: 'First local date. Defaults to today at the site.' },
    to: { type: localDate, about: `Last local date, included. ${length}` },
  }
}

const open = shape({
  from: required(timestamp, 'Opens, in UTC.'),
  until: required(timestamp, 'Closes, in UTC.'),
})

const previewParts = {
  timezone: required(text(64), 'The time zone of the site.'),
  data: required(
    list(
      shape({
        ...dayParts,
        ranges: required(timeRanges, 'Time ranges in seconds since 00:00.'),
        open: required(list(open, { max: 400 }), 'When it is open, in UTC.'),
        length_seconds: required(integer(0, 200_000), 'How long the date lasts there: 86400 on most days.'),
        clock_change: required(flag, 'Whether clocks change on that date.'),
      }),
      { max: longestPreview },
    ),
    'Every date in order. A date that the zone never had is left out.',
  ),
}
export type SchedulePreview = Shape<typeof previewParts>

export const previewOfSchedule = {
  method: 'GET',
  does: 'query',
  path: '/preview',
  about: 'Shows when the schedule is open at a site, date by date, and why.',
  scope: 'read',
  query: {
    site_id: { type: reference('site'), about: 'The site.', is_required: true },
    ...period('two weeks'),
  },
  answer: shape(previewParts),
} as const satisfies Action

const siteDayParts = {
  date: required(localDate, 'The local date.'),
  kinds: required(list(localId, { max: 100 }), 'All kinds of the date, sorted, at most 100.'),
  days: required(
    list(
      shape({
        calendar_day_id: required(reference('calendar_day'), 'The day of the calendar.'),
        calendar_id: required(reference('calendar'), 'The calendar.'),
        kind: required(localId, 'Its kind.'),
        name: nullable(nameText, 'Its name.'),
      }),
      { max: 100 },
    ),
    'What makes it special, in the order of the calendars of the site, at most 100.',
  ),
}
const siteDaysParts = {
  timezone: required(text(64), 'The time zone of the site.'),
  data: required(list(shape(siteDayParts), { max: longestPreview }), 'The special dates in order.'),
}
export type SiteDays = Shape<typeof siteDaysParts>

export const daysOfSite = {
  method: 'GET',
  does: 'query',
  path: '/days',
  about: 'Lists the special dates of a site: the days of all calendars that it observes.',
  scope: 'read',
  query: period('a year'),
  answer: shape(siteDaysParts),
} as const satisfies Action
