import {
  accessMethods,
  doorModes,
  type Mode,
  modeSources,
  mostStandingRules,
  reasons,
} from '@gatehouse-access/core'
import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import { scheduleDay } from './preview.ts'
import { location } from './site.ts'

const method = choice(...accessMethods)

const standingRule = shape({
  member_group_id: required(text(64), 'The group of the rule.'),
  rule_index: required(integer(0, 10_000), 'Its index in `permissions`.'),
  starts_at: nullable(timestamp, 'When it starts to hold for the member. Null if it always has.'),
  ends_at: nullable(timestamp, 'When it ceases to hold for the member. Null if never.'),
  granted_at: nullable(
    timestamp,
    'When the member was put into the group: the first time of those that still hold. Its rules may be younger, see the history of the group.',
  ),
  granted_by: nullable(
    shape({
      user_id: nullable(text(64), 'The user who did.'),
      oauth_application_id: nullable(text(64), 'The application that did.'),
    }),
    'Who put the member into the group. Null if no event tells.',
  ),
})

const common = {
  access_methods: field(list(method, { max: accessMethods.length }), {
    personal: null,
    about: 'Allowed methods.',
    example: ['online', 'pin'],
  }),
  requires_location: field(flag, {
    about: 'True if an online action needs the phone to be near the site.',
    example: false,
  }),
  rules: field(list(standingRule, { max: mostStandingRules }), {
    personal: null,
    about: `The rules that grant it, at most ${mostStandingRules}. Null unless \`ever\` is true.`,
    example: null,
    nullable: true,
  }),
}

/** A member who may use an action. An entry of `GET /gadgets/{gadget_id}/access`. */
export const memberAccess = resource({
  kind: 'member_access',
  plural: 'member_accesses',
  path: '',
  about: 'A member who can use an action of a gadget.',
  verbs: [],
  logged: false,
  expands: { member: one('member') },
  fields: { member_id: field(reference('member'), { about: 'The member.' }), ...common },
})

/** An action that a member may use. An entry of `GET /members/{member_id}/access`. */
export const gadgetAccess = resource({
  kind: 'gadget_access',
  plural: 'gadget_accesses',
  path: '',
  about: 'A gadget action that a member can use.',
  verbs: [],
  logged: false,
  expands: { gadget: one('gadget') },
  fields: {
    gadget_id: field(reference('gadget'), { about: 'The gadget.' }),
    action_id: field(localId, { personal: null, about: 'Its action.', example: 'open' }),
    ...common,
  },
})

export const triedRule = shape({
  member_group_association_id: nullable(
    text(64),
    'The association that led to the rule. Null in an event that lost its member.',
  ),
  member_group_id: required(text(64), 'The group of the rule.'),
  rule_index: nullable(integer(0, 10_000), 'Its index in `permissions`. Null if no rule was checked.'),
  is_inherited: required(flag, 'True if reached through a rule that inherits this group.'),
  failed: nullable(choice(...reasons), 'The first condition that failed. Null if all passed.'),
  schedule_day: nullable(
    scheduleDay,
    'What the times of its schedule came from that day. Null without a schedule, or if no rule was checked.',
  ),
})

const modes = Object.keys(doorModes) as Mode[]

/** The mode of a door, as explanations contain it. */
export const explainedDoor = shape({
  mode: required(choice(...modes), 'Its mode.'),
  source: required(choice(...modeSources), 'What sets the mode.'),
  since: nullable(timestamp, 'When this began to hold. Null if it always has.'),
  until: nullable(timestamp, 'When this ends by itself. Null if it does not.'),
  unlock_rule_id: nullable(
    text(64),
    'The unlock rule that unlocks it, or keeps it closed until its first person has come.',
  ),
  emergency_ids: required(
    list(text(64), { max: 1000 }),
    'The emergencies that set the mode. Empty for viewers.',
  ),
})

const explanationParts = {
  allowed: required(flag, 'Whether the action would be allowed.'),
  reason: nullable(choice(...reasons), 'Why it is denied. Null if allowed.'),
  rules: required(list(triedRule, { max: 1000 }), 'Every rule that was checked, at most 1000.'),
  next_allowed_at: nullable(
    timestamp,
    'The next time at which it would be allowed, up to 366 days ahead. An emergency without an end counts as lasting.',
  ),
  door: nullable(explainedDoor, 'The mode of the door at that time. Null if the gadget is no door.'),
}
export const explanation = shape(explanationParts)
export type Explanation = Shape<typeof explanationParts>

const accessCheckAnswerParts = {
  ...explanationParts,
  rules_as_of: nullable(
    choice('then', 'today'),
    'For a time in the past: `then` if nothing that the check read has changed since, so that it used the rules of then; `today` if it used rules that may have been others. Null for now and later.',
  ),
}
/** The answer of `POST /access_checks`. */
export const accessCheck = shape(accessCheckAnswerParts)
export type AccessCheck = Shape<typeof accessCheckAnswerParts>

const credentialId = text(64, {
  pattern: /^(me|mml|mp|mc|mt)_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of a PIN, card, link, email or token',
})

/** The body of `POST /access_checks`. */
export const accessCheckParts = {
  member_id: optional(reference('member'), 'The member. Give this or credential_id.'),
  credential_id: optional(credentialId, 'ID of a PIN, card, link, email or token, never its secret.'),
  gadget_id: required(reference('gadget'), 'The gadget.'),
  action_id: required(localId, 'The action.'),
  access_method: optional(
    method,
    'The method. By default, a PIN or card counts as used at the door and everything else as online.',
  ),
  device_id: optional(
    reference('device'),
    "The device whose keypad or reader is used. Defaults to the gadget's own. Means nothing online.",
  ),
  at: optional(timestamp, "The time to check, with today's policy. Defaults to now. See `rules_as_of`."),
  location: optional(location, 'Location of the phone.'),
}
export type AccessCheckBody = Shape<typeof accessCheckParts>

/** The query parameters of both access lists. */
export const accessQuery = {
  at: { type: timestamp, about: 'The time to check. Defaults to now.' },
  access_method: { type: method, about: 'Only access by this method.' },
  ever: {
    type: flag,
    about:
      'True for everything that the rules grant at that time or later, whenever their schedules are open and whatever the mode of the door is.',
  },
  limit: { type: integer(1, 100), about: 'Entries per page. Defaults to 20.' },
  cursor: { type: text(2000), about: '`cursor_next` of the previous page.' },
}
