import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, number, reference, text, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { hardwareId } from '../resources/device.ts'
import { capabilityNames } from './capabilities.ts'
import { journalEvent, journalId, modeOfDoor } from './journal.ts'
import { deviceLimits } from './limits.ts'
import { union } from './union.ts'

export const policyVersion = integer(1, Number.MAX_SAFE_INTEGER)
export const policyHash = text(64, { pattern: /^[0-9a-f]{64}$/, expected: 'a SHA-256 in lowercase hex' })
export const commandId = text(64, {
  pattern: /^[A-Za-z0-9_-]{8,64}$/,
  expected: '8 to 64 of A-Z a-z 0-9 _ -',
})

const policy = shape({
  version: required(policyVersion, 'The version on its disk.'),
  hash: required(policyHash, 'The hash of that version.'),
})
const journal = shape({
  id: required(journalId, 'Identifies the journal.'),
  last_sequence: required(
    integer(0, Number.MAX_SAFE_INTEGER),
    'Number of its newest event, or 0 if it is empty.',
  ),
})

/** What a device reports about itself, on its own connection and when a gateway attaches it. */
const about = {
  revision_id: nullable(text(255), 'Hardware revision.'),
  policy: nullable(policy, 'The policy it holds. Absent if it has none.'),
  journal: required(journal, 'Its journal.'),
}
const device = { device_id: required(reference('device'), 'Which device on the connection.') }

const messages = {
  hello: {
    type: required(choice('hello'), 'The first message.'),
    protocol: required(integer(1, 1000), 'Version of the protocol.'),
    firmware: nullable(text(255), 'Name and version of the software.'),
    capabilities: optional(
      list(text(64), { max: 64 }),
      `What it understands beyond this version of the protocol: ${capabilityNames.join(', ')}. Others are ignored. Devices that a gateway attaches share its own.`,
    ),
    ...about,
  },
  attach: {
    type: required(choice('attach'), 'A gateway attaches one of its devices.'),
    hardware_id: required(hardwareId, 'Hardware ID of that device.'),
    secret: required(text(255), 'Secret of that device.'),
    ...about,
  },
  detach: {
    type: required(choice('detach'), 'A device can no longer be reached through this gateway.'),
    ...device,
  },
  ping: {
    type: required(choice('ping'), 'Heartbeat and request for the time.'),
    sent_at: required(timestamp, "By the device's own clock."),
  },
  applied: {
    type: required(choice('applied'), 'A version is on the disk and used for decisions from now on.'),
    ...device,
    version: required(policyVersion, 'The version.'),
    hash: required(policyHash, 'Its hash.'),
  },
  resync: {
    type: required(choice('resync'), 'The device asks for a new snapshot.'),
    ...device,
    reason: required(text(255), 'Why: for the log.'),
  },
  outcome: {
    type: required(choice('outcome'), 'How a command ended.'),
    ...device,
    id: required(commandId, 'ID of the command.'),
    outcome: required(
      choice('done', 'failed', 'refused', 'timed_out'),
      'done; failed: the hardware did not do it; refused: not tried; timed_out: the deadline had passed, not tried.',
    ),
    reason: nullable(text(255), 'Why it was not done.'),
  },
  status: {
    type: required(choice('status'), 'How the device is powered. Fields left out stay unchanged.'),
    ...device,
    mains_present: optional(flag, 'Has mains power.'),
    battery_present: optional(flag, 'Has a battery.'),
    battery_charging: optional(flag, 'Its battery is charging.'),
    battery_percent: optional(number(0, 100), 'Charge of its battery.'),
  },
  events: {
    type: required(choice('events'), 'A range of the journal, in order and without gaps.'),
    ...device,
    journal_id: required(journalId, 'The journal.'),
    events: required(list(journalEvent, { min: 1, max: deviceLimits.events }), 'Events.'),
  },
  doors: {
    type: required(
      choice('doors'),
      'What the doors of the device are now. Sent after a door was driven, after each `applied` once every mode is driven, and after `welcome` or `attached`.',
    ),
    ...device,
    version: required(policyVersion, 'The version of the policy that the modes follow from.'),
    doors: required(
      list(shape(modeOfDoor), { max: deviceLimits.doors }),
      'Doors, in one message or several.',
    ),
  },
  forward: {
    type: required(choice('forward'), 'An input rule names a gadget that the device cannot reach by itself.'),
    ...device,
    id: required(commandId, 'Chosen by the device and repeated in `forwarded`.'),
    gadget_id: required(reference('gadget'), "Destination of one of the device's input rules."),
    action_id: required(localId, 'Its action.'),
  },
}

export type FromDeviceType = keyof typeof messages
export type FromDevice<Name extends FromDeviceType = FromDeviceType> = {
  [Key in FromDeviceType]: Shape<(typeof messages)[Key]>
}[Name]

/** Parses a message from a device. Unknown types and fields are rejected by name. */
export const fromDevice: Type<FromDevice> = union('type', messages)
