import { list, nullable, optional, required, shape } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { localDate } from '../kit/local-date.ts'
import { resource } from '../kit/resource.ts'
import { localId, nameText } from '../kit/scalars.ts'
import { history } from './history.ts'
import { previewOfSchedule } from './preview.ts'
import { timeRanges } from './time-range.ts'
import { uses } from './uses.ts'

const weekday = shape({
  ranges: required(timeRanges, 'Time ranges of the day. They must not overlap.'),
})
/** Seven days, Monday first. */
const scheduleDays = list(weekday, { min: 7, max: 7 })
const closed = { ranges: [] }
const open = { ranges: [{ start: 28800, end: 64800 }] }

const specialDays = list(
  shape({
    kind: required(localId, 'Kind of the days of the calendars, such as `holiday`. Once each.'),
    ranges: required(
      timeRanges,
      'Time ranges on such a day, in place of those of the weekday. Empty: closed.',
    ),
  }),
  { max: 16 },
)

const period = {
  starts_on: required(localDate, 'First date, in the local time of each site.'),
  ends_on: nullable(localDate, 'Last date, included. Null: the same day. At most 366 days.'),
}
const times = { ranges: required(timeRanges, 'Time ranges on these dates. Empty: closed.') }
const mostExceptions = { max: 400 }
const exceptions = list(
  shape({ ...period, name: nullable(nameText, 'What it is for. Never sent to devices.'), ...times }),
  mostExceptions,
)
type Exceptions = ReturnType<typeof exceptions.parse>

/** Names stay in the service. */
function withoutNames(held: Exceptions) {
  return held.length === 0 ? null : held.map(({ name: _, ...exception }) => exception)
}

export const schedule = resource({
  kind: 'schedule',
  plural: 'schedules',
  path: '/schedules',
  about:
    'Weekly times, in the local time of the site they are used at, with other times on special days of the site.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  policy: { rows: 'schedules' },
  actions: { preview: previewOfSchedule, history, uses },
  fields: {
    ...identity('schedule'),
    name: nameField({ create: 'required', example: 'Office hours' }),
    weekdays: field(scheduleDays, {
      personal: null,
      about: 'Seven days, Monday first.',
      example: [open, open, open, open, open, closed, closed],
      create: 'required',
      edit: true,
      engine: true,
      slice: true,
    }),
    special_days: field(specialDays, {
      personal: null,
      about:
        'Times on days that a calendar of the site calls special. The first entry whose kind the day has counts.',
      example: [{ kind: 'holiday', ranges: [] }],
      create: 'optional',
      edit: true,
      initial: [],
      engine: true,
      slice: {
        part: optional(specialDays, 'Times on days of these kinds, the first that applies. Defaults to [].'),
        make: (held: ReturnType<typeof specialDays.parse>) => (held.length === 0 ? null : held),
      },
    }),
    exceptions: field(exceptions, {
      personal: 'free',
      about: 'Times of this schedule on single dates, whatever the calendars say. They must not overlap.',
      example: [{ starts_on: '2026-12-24', name: 'Christmas Eve', ranges: [{ start: 28800, end: 43200 }] }],
      create: 'optional',
      edit: true,
      initial: [],
      engine: true,
      slice: {
        part: optional(
          list(shape({ ...period, ...times }), mostExceptions),
          'Times on single dates, before everything else. Defaults to [].',
        ),
        make: withoutNames,
      },
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
