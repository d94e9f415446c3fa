import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { localDate } from '../kit/local-date.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, localId, nameText, reference, text } from '../kit/scalars.ts'
import { tableParts } from './calendar-source.ts'
import { icsText } from './ics-text.ts'

export const recurrences = ['none', 'yearly'] as const

const dayParts = {
  name: nullable(nameText, 'Its name.'),
  kind: required(localId, 'Its kind.'),
  starts_on: required(localDate, 'First date.'),
  ends_on: nullable(localDate, 'Last date, included. Null: the same day.'),
  recurrence: required(choice(...recurrences), 'Whether it comes back every year.'),
}
const heldDay = shape({
  calendar_day_id: required(reference('calendar_day'), 'The day.'),
  ...dayParts,
})
const newDay = shape({
  calendar_day_id: nullable(reference('calendar_day'), 'The day. Null in a dry run.'),
  ...dayParts,
})
const skipped = shape({
  uid: nullable(text(255), 'Its UID in the file.'),
  name: nullable(text(255), 'Its name in the file.'),
  starts: nullable(text(64), 'Its start as the file has it.'),
  reason: required(text(255), 'Why it was left out.'),
})
const importedParts = {
  create: required(list(newDay, { max: 5000 }), 'Days that are new.'),
  update: required(list(heldDay, { max: 5000 }), 'Days that change, as they will be.'),
  delete: required(list(heldDay, { max: 5000 }), 'Days of an earlier import that its file has taken back.'),
  skipped: required(list(skipped, { max: 1000 }), 'What was left out, and why; at most 1000.'),
}
export type ImportedDays = Shape<typeof importedParts>

const importParts = {
  ics: optional(icsText, 'A calendar file (RFC 5545), at most 1 MiB. Give this or `country`.'),
  country: optional(tableParts.country, 'ISO 3166 code of a country of the built-in tables.'),
  region: optional(tableParts.region, 'Region inside the country.'),
  kinds: optional(tableParts.kinds, 'Kinds of holidays that are taken. Defaults to `["public"]`.'),
  years: optional(
    list(integer(1970, 2100), { min: 1, max: 10, unique: true }),
    'The years that are taken of the tables.',
  ),
}

export type ImportBody = Shape<typeof importParts>

export const calendarDay = resource({
  kind: 'calendar_day',
  plural: 'calendar_days',
  path: '/days',
  parent: 'calendar',
  about: 'A special day or stretch of days in a calendar, as local dates: it has no time zone.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  expands: { calendar: one('calendar') },
  policy: { rows: 'calendar_days' },
  actions: {
    import: {
      method: 'POST',
      path: '/import',
      on: 'collection',
      about:
        'Imports days from a calendar file or from the built-in tables, once. A day is recognized by its UID, else by its date and name. Days that the file does not mention stay.',
      scope: 'write',
      dry_run_scope: 'read',
      // JSON may need three bytes for one of the file.
      largest_body: 3 * 1024 * 1024 + 4096,
      body: importParts,
      query: {
        dry_run: { type: flag, about: 'If true, changes nothing and returns what would be changed.' },
      },
      answer: shape(importedParts),
    },
  },
  fields: {
    ...identity('calendar_day'),
    calendar_id: field(reference('calendar'), { about: 'The calendar it belongs to.', engine: true }),
    name: field(nameText, {
      personal: 'free',
      about: 'Name, such as Christmas Day. Never sent to devices.',
      example: 'Christmas Day',
      create: 'optional',
      edit: true,
      nullable: true,
      sort: true,
    }),
    kind: field(localId, {
      personal: null,
      about: 'What schedules react to: `holiday`, `half_day`, `inventory` or any other word.',
      example: 'holiday',
      create: 'optional',
      edit: true,
      initial: 'holiday',
      filter: 'equal',
      engine: true,
    }),
    starts_on: field(localDate, {
      personal: null,
      about: 'First local date.',
      example: '2026-12-25',
      create: 'required',
      edit: true,
      sort: true,
      filter: 'compare',
      engine: true,
    }),
    ends_on: field(localDate, {
      personal: null,
      about: 'Last local date, included. Null: the same day. At most 366 days in all.',
      example: null,
      create: 'optional',
      edit: true,
      nullable: true,
      filter: 'compare',
      engine: true,
    }),
    recurrence: field(choice(...recurrences), {
      about:
        '`yearly`: every year on the same month and day, from `starts_on` on. 29 February comes in leap years only.',
      example: 'none',
      create: 'optional',
      edit: true,
      initial: 'none',
      engine: true,
    }),
    is_public: field(flag, {
      about: 'Whether guests may read its name. If false, they read that it is closed today.',
      create: 'optional',
      edit: true,
      initial: true,
    }),
    is_managed: field(flag, {
      about: "Whether it comes from the calendar's source, which alone can change it.",
      initial: false,
    }),
    uid: field(text(255), {
      personal: 'technical',
      about: 'What its source or import calls it.',
      hidden: true,
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
