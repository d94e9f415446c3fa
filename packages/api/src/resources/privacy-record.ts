import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import { personalClasses } from '../kit/personal.ts'
import type { Action } from '../kit/resource.ts'
import { choice, flag, integer, text, timestamp } from '../kit/scalars.ts'
import { periodParts, periodQuery, privacyPending } from './privacy.ts'

/** Why personal data is processed. */
export const purposes = {
  access: 'Decide who may open which door and when, and let them in.',
  access_record: 'Know who opened a door or tried to, who changed what, and why access was denied.',
  places: 'Describe buildings, doors, schedules and groups. Names and notes may contain personal data.',
  safety: 'Notice what goes wrong at doors, tell the people in charge, and act in an emergency.',
  letters: 'Invite members by email, and sign them in.',
  accounts: 'Sign in the users of the console, and protect their accounts.',
  applications: 'Tell applications that the organization has authorized what happened.',
  operation: 'Run, protect and restore the service.',
} as const
export type Purpose = keyof typeof purposes

const recipientKinds = ['device', 'webhook', 'application', 'mail', 'notification_target'] as const

/** How long data is kept. */
export const keptRules = ['while_it_exists', 'after_deletion', 'events', 'after'] as const

const entryParts = {
  data: required(text(64), 'What is stored: the name of its table.'),
  purpose: required(choice(...(Object.keys(purposes) as Purpose[])), 'Why.'),
  fields: required(
    list(
      shape({
        class: required(choice(...personalClasses), 'What kind of personal data.'),
        names: required(list(text(64), { max: 100 }), 'Its fields.'),
      }),
      { max: personalClasses.length },
    ),
    'Which personal data, by class.',
  ),
  kept: required(
    choice(...keptRules),
    '`while_it_exists`: until it is deleted. `after_deletion`: until `member_days` after the deletion of the member. `events`: by the periods for events. `after`: for a fixed time.',
  ),
  kept_seconds: nullable(integer(0, 1_000_000_000), 'With `after`: how long, counted from `kept_from`.'),
  kept_from: nullable(text(64), 'With `after`: the field that it is counted from.'),
}
export type RecordEntry = Shape<typeof entryParts>

const recordParts = {
  organization: required(text(255), 'The name of the organization.'),
  made_at: required(timestamp, 'When this was put together.'),
  purposes: required(
    list(
      shape({
        purpose: required(choice(...(Object.keys(purposes) as Purpose[])), 'Its name.'),
        about: required(text(255), 'What for.'),
      }),
      { max: 32 },
    ),
    'Why personal data is processed.',
  ),
  data: required(list(shape(entryParts), { max: 1000 }), 'What is stored.'),
  recipients: required(
    list(
      shape({
        kind: required(choice(...recipientKinds), 'What kind of recipient.'),
        name: required(
          text(255),
          'The host of a webhook or notification target, the name of an application, the mail server.',
        ),
        count: required(integer(1, 1_000_000_000), 'How many there are.'),
      }),
      { max: 1000 },
    ),
    'Who gets personal data. Devices get keyed hashes and IDs, never names.',
  ),
  recipients_cut: required(flag, 'True if there are more recipients than are listed.'),
  periods: required(shape(periodParts), 'The periods in force, in days.'),
  pending: nullable(privacyPending, 'A shortening that is about to take effect.'),
}
export type PrivacyRecord = Shape<typeof recordParts>

export const privacyRecord = {
  method: 'GET',
  does: 'query',
  path: '/privacy_record',
  about:
    'The record of processing activities: which personal data is stored and why, who gets it, and how long it is kept.',
  scope: 'read',
  answer: shape(recordParts),
} as const satisfies Action

export const mostPreviewed = 100_000
const count = integer(0, mostPreviewed)
const previewParts = {
  members: required(count, 'Deleted members that would be erased.'),
  access: required(count, 'Events that would lose their member.'),
  access_deleted: required(count, 'Uses, denials, sign-ins and reveals that would be deleted.'),
  other: required(count, 'Events that would lose IP address, client and personal values.'),
  device: required(count, 'States and signals that would be deleted.'),
  is_cut: required(
    flag,
    `True if more than ${mostPreviewed} events or deleted members are old enough: the counts are those of the oldest.`,
  ),
}
export type PrivacyPreview = Shape<typeof previewParts>

export const privacyPreview = {
  method: 'GET',
  does: 'query',
  path: '/privacy_preview',
  about: `Counts what these periods would remove if they were in force now, among the oldest ${mostPreviewed} events for each. A period left out is endless. What a legal hold covers does not count.`,
  scope: 'read',
  query: periodQuery,
  answer: shape(previewParts),
} as const satisfies Action
