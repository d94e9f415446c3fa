import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { choice, flag, integer, reference, text, timestamp } from '../kit/scalars.ts'

/** Uses and denials that a report reads at most, of each. */
export const mostReported = 100_000
/** Entries of each of its lists. */
export const mostEntries = 100
/** Days that a report can reach over. */
export const longestReport = 366
const count = integer(0, 2_147_483_647)

const counts = {
  uses: required(count, 'How often somebody opened it.'),
  denials: required(count, 'How often somebody was denied.'),
}
const last_at = required(timestamp, 'The last of them.')

const activityParts = {
  from: required(timestamp, 'The beginning of the period.'),
  until: required(timestamp, 'Its end, which does not belong to it.'),
  counted_from: required(
    timestamp,
    `Nothing is counted before this time: later than \`from\` if there were more than ${mostReported} uses or denials since.`,
  ),
  uses: required(count, 'How often doors were opened. What a trigger did is not counted again.'),
  denials: required(count, 'How often somebody was denied.'),
  member_count: required(count, 'Members who opened a door or were denied.'),
  gadget_count: required(count, 'Gadgets that were opened, or denied somebody.'),
  by_hour: required(
    list(shape({ at: required(timestamp, 'The beginning of the hour.'), ...counts }), {
      max: longestReport * 24 + 1,
    }),
    'Uses and denials by hour, oldest first. Hours without any are left out.',
  ),
  by_gadget: required(
    list(
      shape({
        gadget_id: required(text(64), 'The gadget.'),
        name: nullable(text(1000), 'Its name now. Null if it is gone.'),
        ...counts,
        last_at,
      }),
      { max: mostEntries },
    ),
    `The ${mostEntries} gadgets with the most uses and denials.`,
  ),
  by_member: required(
    list(
      shape({
        member_id: nullable(
          text(64),
          'The member. Null for those whom nobody knows, such as after a wrong PIN.',
        ),
        name: nullable(text(1000), 'Their name now. Null if unknown.'),
        ...counts,
        last_at,
      }),
      { max: mostEntries },
    ),
    `The ${mostEntries} members with the most uses and denials.`,
  ),
  by_reason: required(
    list(
      shape({
        reason: required(text(64), 'Why somebody was denied.'),
        denials: required(count, 'How often.'),
        last_at,
      }),
      { max: mostEntries },
    ),
    'Denials by reason, the most frequent first.',
  ),
}
export type Activity = Shape<typeof activityParts>

export const activity = {
  method: 'GET',
  does: 'query',
  path: '/activity',
  about: `Counts the uses and denials of a period by hour, door, person and reason. Reads the newest ${mostReported} of each.`,
  scope: 'read',
  query: {
    from: { type: timestamp, is_required: true, about: 'The beginning of the period.' },
    until: {
      type: timestamp,
      about: `Its end, which does not belong to it, at most ${longestReport} days later. Defaults to now.`,
    },
    site_id: { type: reference('site'), about: 'Only what happened at this site.' },
  },
  answer: shape(activityParts),
} as const satisfies Action

/** Members use them to open doors, or to sign in. */
export const reportedCredentials = [
  'member_pin',
  'member_card',
  'member_magic_link',
  'member_token',
  'member_email',
] as const

const unusedParts = {
  since: required(timestamp, 'Nothing of it was used since then.'),
  gadgets: required(
    list(
      shape({
        gadget_id: required(text(64), 'The gadget.'),
        name: required(text(1000), 'Its name.'),
        site_id: nullable(text(64), 'Its site.'),
        last_used_at: nullable(timestamp, 'When it was last used. Null if never.'),
      }),
      { max: mostEntries },
    ),
    `Gadgets that were there already and not used since, at most ${mostEntries}, those unused for longest first.`,
  ),
  gadget_count: required(count, 'How many these are.'),
  credentials: required(
    list(
      shape({
        kind: required(choice(...reportedCredentials), 'What it is.'),
        id: required(text(64), 'Its ID.'),
        member_id: required(text(64), 'The member who has it.'),
        name: nullable(text(1000), 'Their name.'),
        created_at: required(timestamp, 'When it was given.'),
        last_used_at: nullable(timestamp, 'When it was last used. Null if never.'),
      }),
      { max: mostEntries },
    ),
    `PINs, cards, links and tokens that were given before and not used since, and emails that were signed in with before and not since: at most ${mostEntries}, those unused for longest first.`,
  ),
  credential_count: required(count, `How many these are, up to ${mostReported}.`),
  is_cut: required(
    flag,
    `True if there are more than ${mostReported} of a kind: then only the oldest were looked at.`,
  ),
}
export type Unused = Shape<typeof unusedParts>

export const unused = {
  method: 'GET',
  does: 'query',
  path: '/unused',
  about: 'Finds doors and credentials that nobody has used for a while.',
  scope: 'read',
  query: {
    since: { type: timestamp, is_required: true, about: 'Unused since then.' },
    site_id: {
      type: reference('site'),
      about: 'Only doors of this site. Credentials are those of the organization.',
    },
  },
  answer: shape(unusedParts),
} as const satisfies Action
