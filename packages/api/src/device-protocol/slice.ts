import { sliceParts } from '../derive/policy.ts'
import { list, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, text, timestamp } from '../kit/scalars.ts'
import { device } from '../resources/device.ts'
import { gadget } from '../resources/gadget.ts'
import { gadgetTrigger } from '../resources/gadget-trigger.ts'
import { member } from '../resources/member.ts'
import { memberGroup } from '../resources/member-group.ts'
import { memberGroupAssociation } from '../resources/member-group-association.ts'
import { schedule } from '../resources/schedule.ts'
import { site } from '../resources/site.ts'
import { suspensionParts } from '../resources/suspension.ts'
import {
  emergencyParts,
  emergencyPlanParts,
  firePart,
  overrideParts,
  unlockRuleParts,
} from './slice-modes.ts'

/**
 * The part of an organization's policy that one device needs: rows as the engine in packages/core reads them,
 * with the fields that the declarations mark. Only living rows are sent. Rows that are deleted or no longer
 * concern the device are removed. Names and metadata are never sent.
 */
const few = { max: 10_000 }

/** A local date. */
const date = text(10, { pattern: /^\d{4}-\d{2}-\d{2}$/, expected: 'a date like 2026-12-24' })
const dayParts = {
  kind: required(localId, 'What schedules react to, such as holiday.'),
  from: required(date, 'First local date.'),
  to: required(date, 'Last local date, inclusive.'),
  yearly: optional(flag, 'True if it comes again every year on the same months and days.'),
}
const siteParts = {
  ...sliceParts(site, 'The site.'),
  days: optional(
    list(shape(dayParts), few),
    'Special days of the calendars that the site observes, merged and sorted. Absent if it observes none.',
  ),
  days_until: optional(
    date,
    'The last local date up to which all special days are in `days`. After it, only yearly ones are known, and schedules with `special_days` are closed where these do not decide.',
  ),
  fire: firePart,
}
const deviceParts = sliceParts(device, 'The device. Devices of destination gadgets are included too.')
const gadgetParts = sliceParts(
  gadget,
  'The gadget. IDs sort by creation time: the first gadget has the lowest.',
)
const scheduleParts = sliceParts(schedule, 'The schedule.')
const groupParts = sliceParts(memberGroup, 'The group.')
const triggerParts = sliceParts(gadgetTrigger, 'The trigger.')
const associationParts = sliceParts(memberGroupAssociation, 'The association.')
const { is_deleted, ...ownParts } = sliceParts(member, 'The member.')

/** 128 bits in base64url. */
const keyedHash = text(22, {
  min: 22,
  pattern: /^[A-Za-z0-9_-]{22}$/,
  expected: '22 characters of base64url',
})
const credentialParts = {
  id: required(text(64), "The member's PIN (mp_…) or card (mc_…)."),
  kind: required(choice('pin', 'card'), 'Whether it is a PIN or a card.'),
  hash: required(keyedHash, "Keyed hash under the device's own key."),
  ...suspensionParts,
  is_deleted,
}
/** As many ids as fit in a frame. Passes expire after a day, so only recent deletions matter. */
export const mostRevoked = 1000

/** A member with everything that concerns the device. It is put and removed as a whole. */
const memberParts = {
  ...ownParts,
  associations: required(
    list(shape(associationParts), few),
    "The member's associations with groups in this slice.",
  ),
  credentials: required(list(shape(credentialParts), few), 'PINs and cards.'),
  revoked: optional(
    list(text(64), { max: mostRevoked }),
    "The member's deleted links, emails and tokens, newest first. Passes fetched with them are no longer valid.",
  ),
  suspended: optional(
    list(
      shape({
        id: required(text(64), 'The link, email or token.'),
        suspended_until: suspensionParts.suspended_until,
      }),
      { max: mostRevoked },
    ),
    "The member's suspended links, emails and tokens. Passes fetched with them are refused until then.",
  ),
  is_deleted,
}

const offset = integer(-93_600, 93_600)
const zoneParts = {
  id: required(text(64), 'IANA name of the time zone.'),
  release: required(text(64), 'The release of the time zone database.'),
  from: required(timestamp, 'Where the table begins.'),
  until: required(timestamp, 'Where it ends. Outside of it, the device asks its own zone data.'),
  offset: required(offset, 'Seconds east of UTC at `from`.'),
  changes: required(
    list(
      shape({
        at: required(timestamp, 'When the offset changes.'),
        offset: required(offset, 'Seconds east of UTC from then on.'),
      }),
      { max: 1000 },
    ),
    'Changes of the offset, in order.',
  ),
  is_deleted,
}

const passKeyParts = {
  id: required(text(64), 'Identifies the key in a pass.'),
  public_key: required(text(64), 'Ed25519, the raw 32 bytes in base64url.'),
}

const modes = 'Only for devices with the capability `door_modes`.'
const rows = {
  emergencies: optional(
    list(shape(emergencyParts), few),
    `Emergencies that are active. They are sent before everything else. ${modes}`,
  ),
  zones: optional(
    list(shape(zoneParts), few),
    'Time zones of the sites. Only for devices with the capability `zone_tables`.',
  ),
  sites: optional(list(shape(siteParts), few), 'Sites.'),
  devices: optional(list(shape(deviceParts), few), 'Devices.'),
  gadgets: optional(list(shape(gadgetParts), few), 'Gadgets.'),
  schedules: optional(list(shape(scheduleParts), few), 'Schedules.'),
  groups: optional(list(shape(groupParts), few), 'Groups.'),
  triggers: optional(list(shape(triggerParts), few), 'Gadget triggers.'),
  unlock_rules: optional(list(shape(unlockRuleParts), few), `Unlock rules. ${modes}`),
  overrides: optional(list(shape(overrideParts), few), `Overrides of doors. ${modes}`),
  emergency_plans: optional(
    list(shape(emergencyPlanParts), few),
    `Plans whose control gadget or panic button is at the gateway. ${modes}`,
  ),
  members: optional(list(shape(memberParts), few), 'Members.'),
}
const ids = list(text(64), { max: 100_000 })
const removed = Object.fromEntries(
  Object.keys(rows).map(kind => [kind, optional(ids, `IDs of removed ${kind}.`)]),
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
