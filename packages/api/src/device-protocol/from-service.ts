import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { hardwareId } from '../resources/device.ts'
import { type DeviceClosing, deviceClosings } from './closings.ts'
import { commandId, policyHash, policyVersion } from './from-device.ts'
import { journalId } from './journal.ts'
import { passKeys, sliceRemovals, sliceRows } from './slice.ts'
import { union } from './union.ts'

const device = { device_id: required(reference('device'), 'Which device on the connection it is for.') }
const count = integer(0, Number.MAX_SAFE_INTEGER)
const generation = integer(1, Number.MAX_SAFE_INTEGER)

/** What a device is sent once it, or its gateway on its behalf, has been admitted. */
const entry = {
  ...device,
  acknowledged_sequence: required(count, 'The service has all events of the journal up to this one.'),
  acknowledged_occurred_at: nullable(
    timestamp,
    'The `occurred_at` of that event: a device that has a different event under this number is running on an old copy of its disk.',
  ),
  key_generation: required(generation, 'ID of the key that its hashes are made with.'),
}

const messages = {
  welcome: {
    type: required(choice('welcome'), 'Response to `hello`.'),
    protocol: required(integer(1, 1000), 'Version of the protocol.'),
    time: required(timestamp, 'Now.'),
    heartbeat_seconds: required(count, 'Ping this often.'),
    silence_seconds: required(count, 'Without a message for this long, the connection is lost.'),
    capabilities: optional(
      list(text(64), { max: 64 }),
      'What the service accepts beyond this version of the protocol. Absent from older services.',
    ),
    ...entry,
  },
  attached: {
    type: required(choice('attached'), 'Response to `attach`.'),
    hardware_id: required(hardwareId, 'ID of the attached device.'),
    ...entry,
  },
  attach_refused: {
    type: required(choice('attach_refused'), 'The device was not attached. The connection stays open.'),
    hardware_id: required(hardwareId, 'As the gateway gave it.'),
    reason: required(choice('unauthenticated', 'other_organization', 'too_many'), 'Why.'),
  },
  detached: {
    type: required(choice('detached'), 'The device is no longer on this connection.'),
    ...device,
    reason: required(choice('asked', 'unauthenticated', 'replaced'), 'Why.'),
  },
  pong: {
    type: required(choice('pong'), 'Response to `ping`.'),
    ping_sent_at: required(timestamp, 'As the device gave it.'),
    received_at: required(timestamp, 'When the ping arrived.'),
    sent_at: required(timestamp, 'When this was sent.'),
  },
  snapshot_begin: {
    type: required(
      choice('snapshot_begin'),
      'A complete slice follows. The old one stays in use until it is complete.',
    ),
    ...device,
    version: required(policyVersion, 'Of the slice.'),
    key_generation: required(generation, 'Of `key`.'),
    key: required(text(64), 'Makes the keyed hashes of PINs and cards: 32 bytes in base64url.'),
    pass_keys: required(passKeys, 'Keys that phone passes are signed with.'),
  },
  snapshot_part: {
    type: required(choice('snapshot_part'), 'Some rows of the slice.'),
    ...device,
    version: required(policyVersion, 'Of the slice.'),
    part: required(integer(1, 1_000_000), 'Counts from 1.'),
    put: required(sliceRows, 'Rows.'),
  },
  snapshot_end: {
    type: required(choice('snapshot_end'), 'The slice is complete. Respond with `applied`.'),
    ...device,
    version: required(policyVersion, 'Of the slice.'),
    parts: required(integer(0, 1_000_000), 'How many parts there were.'),
  },
  delta: {
    type: required(
      choice('delta'),
      'What changed. Respond with `applied`, or with `resync` if it does not fit.',
    ),
    ...device,
    from: required(policyVersion, 'The version it builds on.'),
    to: required(policyVersion, 'The version it leads to.'),
    previous_hash: required(policyHash, 'The hash of the version it builds on.'),
    put: required(sliceRows, 'Rows that are new or replaced, each in full.'),
    remove: required(
      sliceRemovals,
      'IDs of removed rows. Unknown IDs are not an error. Removing a member removes everything it has.',
    ),
    erase: optional(
      list(reference('member'), { max: 1_000_000 }),
      'Those of the removed members who were erased: nothing of them may be left on the disk, also not in what the disk has freed. `applied` says that it is so. Events of theirs that wait in the journal are still sent, and then erased from the disk as well.',
    ),
  },
  command: {
    type: required(choice('command'), 'An action to run. Respond with `outcome`.'),
    ...device,
    id: required(commandId, 'A command is never executed twice under the same ID.'),
    gadget_id: required(reference('gadget'), 'The gadget.'),
    action_id: required(localId, 'Its action.'),
    deadline: required(timestamp, "In the service's time. After this, the command must not be executed."),
  },
  ack: {
    type: required(choice('ack'), 'Events are stored permanently. The journal can drop them.'),
    ...device,
    journal_id: required(journalId, 'The journal.'),
    sequence: required(count, 'Number of the last stored event.'),
  },
  forwarded: {
    type: required(choice('forwarded'), 'How a `forward` ended.'),
    ...device,
    id: required(commandId, 'As the device gave it.'),
    outcome: required(choice('done', 'failed', 'refused', 'timed_out', 'offline'), 'As for commands.'),
  },
  error: {
    type: required(choice('error'), 'An error. The connection is closed after this.'),
    error: required(
      shape({
        type: required(choice(...(Object.keys(deviceClosings) as DeviceClosing[])), 'A stable code.'),
        message: required(text(2000), 'The error in words.'),
        field: nullable(text(1000), 'The part of the message that was wrong.'),
      }),
      'What was wrong.',
    ),
  },
}

export type FromServiceType = keyof typeof messages
export type FromService<Name extends FromServiceType = FromServiceType> = {
  [Key in FromServiceType]: Shape<(typeof messages)[Key]>
}[Name]

/** Parses a message from the service. Firmware should ignore types and fields that it does not know. */
export const fromService: Type<FromService> = union('type', messages)
