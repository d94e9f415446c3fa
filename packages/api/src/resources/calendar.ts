import { optional } from '../kit/compounds.ts'
import { field, identity, lifecycle, metadataField, nameField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { bytes, flag, text, timestamp } from '../kit/scalars.ts'
import { calendarSource, shownSource } from './calendar-source.ts'
import { attemptErrors } from './webhook-delivery.ts'

/** Why the last refresh failed. */
export const refreshErrors = [
  'suspicious',
  'suspicious_changed',
  ...attemptErrors,
  'redirected',
  'error_status',
  'too_large',
  'not_a_calendar',
  'too_many_days',
  'unknown_country',
] as const
export type RefreshError = (typeof refreshErrors)[number]

export const calendar = resource({
  kind: 'calendar',
  plural: 'calendars',
  path: '/calendars',
  about:
    'Special days, such as public holidays. Sites observe calendars; schedules say what happens on their days. Its days are deleted and restored with it.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['name'] },
  policy: { rows: 'calendars' },
  actions: {
    refresh: {
      method: 'POST',
      path: '/refresh',
      about:
        'Takes its days from its source now, in the background. Look at `refreshed_at` for when it was done and at `refresh_error` for the outcome.',
      scope: 'write',
      body: {
        accept: optional(
          flag,
          'Takes the days that were held back (`suspicious`), provided that the source still has the same.',
        ),
      },
      answer: 'object',
    },
  },
  fields: {
    ...identity('calendar'),
    name: nameField({ create: 'required', example: 'Holidays in Madrid' }),
    source: field(calendarSource, {
      personal: 'technical',
      about:
        'Where its days come from, every day anew: a calendar file on the web (`ics`) or the built-in tables (`country`). Null: all days are kept by hand.',
      example: { type: 'country', country: 'ES', region: 'MD', kinds: ['public'] },
      create: 'optional',
      edit: true,
      nullable: true,
      shown: shownSource,
    }),
    refreshed_at: field(timestamp, {
      about: 'When the last refresh ended, well or not.',
      example: '2026-11-14T03:00:00Z',
      nullable: true,
    }),
    refresh_error: field(text(64), {
      personal: null,
      about: `Why the last refresh failed; its days stayed as they were. One of ${refreshErrors.map(name => `\`${name}\``).join(', ')}.`,
      example: null,
      nullable: true,
    }),
    url_ciphertext: field(bytes, { about: 'The encrypted URL of its source.', hidden: true, nullable: true }),
    refresh_due_at: field(timestamp, { about: 'When it is refreshed next.', hidden: true, nullable: true }),
    refresh_owner: field(text(64), {
      personal: 'technical',
      about: 'The refresh in progress. Whoever changes the source takes it away.',
      hidden: true,
      nullable: true,
    }),
    refresh_owned_until: field(timestamp, {
      about: 'When another process may begin again.',
      hidden: true,
      nullable: true,
    }),
    fresh_at: field(timestamp, { about: 'When a refresh last succeeded.', hidden: true, nullable: true }),
    held_back_hash: field(text(64), {
      personal: 'technical',
      about: 'The digest of suspicious days that wait for somebody to accept them.',
      hidden: true,
      nullable: true,
    }),
    accepted_hash: field(text(64), {
      personal: 'technical',
      about: 'The digest of suspicious days that somebody has accepted.',
      hidden: true,
      nullable: true,
    }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
