import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import { inputRule } from '../resources/device.ts'
import { ruleParts } from '../resources/member-group.ts'
import { capabilities } from '../resources/product.ts'
import { scheduleDays } from '../resources/schedule.ts'
import { geo } from '../resources/site.ts'

/**
 * The part of an organization's policy that one device needs: rows as the engine of packages/core reads them. Only
 * what lives is sent; what no longer does, or no longer concerns the device, is removed. Names and metadata never are.
 */
const living = { is_deleted: optional(flag, 'Absent: false. The service sends living rows only.') }
const few = { max: 10_000 }

const siteParts = {
  id: required(reference('site'), 'The site.'),
  timezone: required(text(64), 'IANA name of its zone.'),
  geo: nullable(geo, 'Its place on earth.'),
  pins_alarmed_until: optional(
    timestamp,
    'Until then each wrong PIN at a keypad of the site pauses that keypad: somebody guesses all over the site.',
  ),
  ...living,
}
const deviceParts = {
  id: required(reference('device'), 'The device; those that destination gadgets belong to are there too.'),
  site_id: required(reference('site'), 'Where it is installed.'),
  capabilities: required(capabilities, 'What its product can do.'),
  input_rules: required(list(inputRule, { max: 100 }), 'Of the device itself; empty for others.'),
  ...living,
}
const local = shape({ id: required(localId, 'Its id.') })
const gadgetParts = {
  id: required(reference('gadget'), 'The gadget. Ids sort by creation: the first is the lowest.'),
  site_id: required(reference('site'), 'Its site.'),
  device_id: required(reference('device'), 'Its device.'),
  actions: required(list(local, { max: 64 }), 'In order; the first is the default.'),
  states: required(list(local, { max: 64 }), 'States it can report.'),
  signals: required(list(local, { max: 64 }), 'Signals it can report.'),
  ...living,
}
const scheduleParts = {
  id: required(reference('schedule'), 'The schedule.'),
  weekdays: required(scheduleDays, 'Seven days, Monday first.'),
  ...living,
}
const ruleRowParts = {
  ...ruleParts,
  rule_index: required(integer(0, 10_000), 'Its place among all rules of the group; explanations name it.'),
}
const groupParts = {
  id: required(reference('member_group'), 'The group.'),
  permissions: required(list(shape(ruleRowParts), few), 'Those of its rules that can cover a gadget here.'),
  ...living,
}
const triggerParts = {
  id: required(reference('gadget_trigger'), 'The trigger.'),
  site_id: required(reference('site'), 'Its site, whose clock a schedule follows.'),
  source_type: required(choice('state', 'signal', 'schedule'), 'What sets it off.'),
  source_gadget_id: nullable(reference('gadget'), 'Source of a state or signal.'),
  source_state_id: nullable(localId, 'The state.'),
  source_signal_id: nullable(localId, 'The signal.'),
  source_schedule_id: nullable(reference('schedule'), 'The schedule.'),
  source_schedule_event: nullable(choice('enter', 'exit'), 'Begin or end of a range.'),
  target_gadget_id: required(reference('gadget'), 'Gadget whose action is run.'),
  target_action_id: required(localId, 'The action.'),
  ...living,
}

/** 128 bits in base64url. */
const keyedHash = text(22, {
  min: 22,
  pattern: /^[A-Za-z0-9_-]{22}$/,
  expected: '22 characters of base64url',
})
const credentialParts = {
  id: required(text(64), 'The PIN (mp_…) or card of the member (mc_…).'),
  kind: required(choice('pin', 'card'), 'Which of both.'),
  hash: required(keyedHash, "Keyed hash under the device's own key."),
  ...living,
}
const associationParts = {
  id: required(reference('member_group_association'), 'The association.'),
  member_group_id: required(reference('member_group'), 'Its group.'),
  starts_at: nullable(timestamp, 'Valid from.'),
  ends_at: nullable(timestamp, 'Valid until, exclusive.'),
  ...living,
}
/** Ids that a frame has room for. Passes end after a day, so only what was deleted of late matters. */
export const mostRevoked = 1000

/** A member with everything of it that matters here: one put replaces it whole, one removal ends it whole. */
const memberParts = {
  id: required(reference('member'), 'The member.'),
  starts_at: nullable(timestamp, 'Valid from.'),
  ends_at: nullable(timestamp, 'Valid until, exclusive.'),
  associations: required(list(shape(associationParts), few), 'Those with groups of this slice.'),
  credentials: required(list(shape(credentialParts), few), 'PINs and cards.'),
  revoked: optional(
    list(text(64), { max: mostRevoked }),
    'Deleted links, emails and tokens of the member, newest first: passes fetched with them no longer count.',
  ),
  ...living,
}

const passKeyParts = {
  id: required(text(64), 'Named by a pass.'),
  public_key: required(text(64), 'Ed25519, the raw 32 bytes in base64url.'),
}

const rows = {
  sites: optional(list(shape(siteParts), few), 'Sites.'),
  devices: optional(list(shape(deviceParts), few), 'Devices.'),
  gadgets: optional(list(shape(gadgetParts), few), 'Gadgets.'),
  schedules: optional(list(shape(scheduleParts), few), 'Schedules.'),
  groups: optional(list(shape(groupParts), few), 'Groups.'),
  triggers: optional(list(shape(triggerParts), few), 'Gadget triggers.'),
  members: optional(list(shape(memberParts), few), 'Members.'),
}
const ids = list(text(64), { max: 100_000 })
const removed = Object.fromEntries(
  Object.keys(rows).map(kind => [kind, optional(ids, `Ids of ${kind} that are gone.`)]),
) as { [Kind in keyof typeof rows]: ReturnType<typeof optional<string[]>> }

export const sliceRows = shape(rows)
export const sliceRemovals = shape(removed)
export const passKeys = list(shape(passKeyParts), { max: 16 })
export const sliceKinds = Object.keys(rows) as SliceKind[]

export type SliceRows = Shape<typeof rows>
export type SliceRemovals = Shape<typeof removed>
export type SliceKind = keyof typeof rows
export type SliceRow<Kind extends SliceKind> = NonNullable<SliceRows[Kind]>[number]
export type SliceMember = SliceRow<'members'>
export type PassKey = Shape<typeof passKeyParts>
