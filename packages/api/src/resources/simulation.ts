import { accessMethods, doorAlarmTypes, doorModes, type Mode, modeSources } from '@gatehouse-access/core'
import { clearable, list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import { uid } from './card.ts'

export const simulatedFaults = ['stuck_door', 'no_power', 'slow', 'lost_network', 'wrong_clock'] as const
export type SimulatedFault = (typeof simulatedFaults)[number]

/** An input to a virtual device. Exactly one must be set. */
export const simulateParts = {
  keys: optional(
    text(256, { pattern: /^[0-9*#]+$/, expected: 'at least one of the keys 0-9, * and #' }),
    'Keys typed at its keypad, such as `12#345678#`.',
  ),
  card: optional(shape({ uid: required(uid, 'UID of the card.') }), 'A card held to its reader.'),
  phone: optional(
    shape({
      access_method: required(choice('bluetooth', 'mobile_nfc'), 'How the phone reaches the device.'),
      member_id: required(reference('member'), 'The member whose phone it is.'),
    }),
    'A phone with a pass of the member.',
  ),
  state: optional(
    shape({
      gadget_id: required(reference('gadget'), 'A gadget of the device.'),
      state_id: required(localId, 'The new state.'),
    }),
    'A sensor that reports a state.',
  ),
  signal: optional(
    shape({
      gadget_id: required(reference('gadget'), 'A gadget of the device.'),
      signal_id: required(localId, 'The signal it sends.'),
    }),
    'A signal, such as a bell.',
  ),
  network: optional(choice('offline', 'online'), 'Disconnects it from the network, or reconnects it.'),
  fault: clearable(choice(...simulatedFaults), 'A fault that lasts for 10 minutes. Null clears the fault.'),
}
export type SimulateBody = Shape<typeof simulateParts>

/** What a virtual device may record. */
const journalTypes = [
  'use',
  'denial',
  'trigger',
  'trigger_denial',
  'state',
  'signal',
  'exit',
  'mode',
  'emergency',
  'fire',
  'alarm',
  'lost',
] as const

const happening = shape({
  type: required(choice(...journalTypes), 'What the device recorded.'),
  occurred_at: required(timestamp, 'When it happened, by the device clock.'),
  gadget_id: nullable(reference('gadget'), 'The gadget.'),
  action_id: nullable(localId, 'The action.'),
  state_id: nullable(localId, 'The state.'),
  signal_id: nullable(localId, 'The signal.'),
  gadget_trigger_id: nullable(reference('gadget_trigger'), 'The trigger that ran, or did not.'),
  access_method: nullable(choice(...accessMethods), 'The access method.'),
  member_id: nullable(reference('member'), 'Who.'),
  credential_id: nullable(text(64), 'The PIN or card.'),
  reason: nullable(text(64), 'Why it was denied.'),
  mode: nullable(choice(...(Object.keys(doorModes) as Mode[])), 'The new mode of the door.'),
  source: nullable(choice(...modeSources), 'What sets the mode.'),
  unlock_rule_id: nullable(reference('unlock_rule'), 'The unlock rule that sets it.'),
  emergency_ids: optional(list(text(64), { max: 64 }), 'The emergencies that set it.'),
  outcome: nullable(choice('done', 'failed'), 'Whether the door could be driven so.'),
  cause: nullable(text(64), 'What ended the mode before, or prevented this one.'),
  action: nullable(choice('start', 'end'), 'Whether the plan was started or ended.'),
  emergency_plan_id: nullable(reference('emergency_plan'), 'The plan that was started or ended.'),
  emergency_id: nullable(reference('emergency'), 'The emergency that was ended.'),
  local_id: nullable(text(64), 'What the device calls the emergency until the service has named it.'),
  site_id: nullable(reference('site'), 'The site whose fire alarm was set off or cleared.'),
  state: nullable(choice('on', 'cleared'), 'Whether the fire alarm is on.'),
  alarm_type: nullable(choice(...doorAlarmTypes), 'The alarm of the door.'),
  is_over: optional(flag, 'Whether the alarm has ended.'),
  started_at: nullable(timestamp, 'When the alarm began.'),
  ended_at: nullable(timestamp, 'When the alarm ended.'),
})

const simulationParts = {
  events: required(list(happening, { max: 1000 }), 'What happened, in order.'),
  online: required(flag, 'Whether the device can reach the service.'),
  buffered_events: required(integer(0, 1_000_000), 'Events it will report once it is online again.'),
  fault: nullable(choice(...simulatedFaults), 'The current fault.'),
  fault_until: nullable(timestamp, 'When the fault ends.'),
}
/** What a virtual device did, and its current state. */
export const simulation = shape(simulationParts)
export type Simulation = Shape<typeof simulationParts>
