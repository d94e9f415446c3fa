import { list, required, shape } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { integer } from '../kit/scalars.ts'

const range = shape({
  start: required(integer(0, 86400), "Start in seconds since 00:00, in the site's local time."),
  end: required(integer(0, 86400), 'End in seconds since 00:00. Must be greater than start.'),
})
const weekday = shape({
  ranges: required(list(range, { max: 100 }), 'Time ranges of the day. They must not overlap.'),
})
/** Seven days, Monday first. */
const scheduleDays = list(weekday, { min: 7, max: 7 })
const closed = { ranges: [] }
const open = { ranges: [{ start: 28800, end: 64800 }] }

export const schedule = resource({
  kind: 'schedule',
  plural: 'schedules',
  path: '/schedules',
  about: 'Weekly times, in the local time of the site they are used at.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  policy: { rows: 'schedules' },
  fields: {
    ...identity('schedule'),
    name: nameField({ create: 'required', example: 'Office hours' }),
    weekdays: field(scheduleDays, {
      about: 'Seven days, Monday first.',
      example: [open, open, open, open, open, closed, closed],
      create: 'required',
      edit: true,
      engine: true,
      slice: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
