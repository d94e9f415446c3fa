import { list, required, shape } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { integer } from '../kit/scalars.ts'

const range = shape({
  start: required(integer(0, 86400), 'Seconds since 00:00, site local time.'),
  end: required(integer(0, 86400), 'Seconds since 00:00; greater than start.'),
})
const weekday = shape({
  ranges: required(list(range, { max: 100 }), 'Times of the day; they must not overlap.'),
})
/** Seven days, Monday first. */
const scheduleDays = list(weekday, { min: 7, max: 7 })
const closed = { ranges: [] }
const open = { ranges: [{ start: 28800, end: 64800 }] }

export const schedule = resource({
  kind: 'schedule',
  plural: 'schedules',
  path: '/schedules',
  about: 'Weekly times, in the local time of the site they are applied to.',
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
