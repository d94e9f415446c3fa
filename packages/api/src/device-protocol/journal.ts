import { accessMethods, doorAlarmTypes, doorModes, type Mode, modeSources } from '@gatehouse-access/core'
import { list, nullable, optional, required, type Shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { explainedDoor, triedRule } from '../resources/access.ts'
import { uid } from '../resources/card.ts'
import { decidedBy } from '../resources/decided-by.ts'
import { emergencyId, emergencyPlanId, unlockRuleId } from './slice-modes.ts'
import { union } from './union.ts'

export const sequence = integer(1, Number.MAX_SAFE_INTEGER)
/** Identifies a journal. A device whose disk was replaced starts a new journal, at sequence 1. */
export const journalId = text(64, {
  pattern: /^[A-Za-z0-9_-]{8,64}$/,
  expected: '8 to 64 of A-Z a-z 0-9 _ -',
})

/**
 * One of `denialReasons`. Others are recorded as refused, so that a newer device does not block its journal.
 */
const reason = text(64, { pattern: /^[a-z_]{1,64}$/, expected: 'a reason like outside_schedule' })
const credentialId = text(64, {
  pattern: /^(mp|mc)_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of a PIN or a card of a member',
})

const common = {
  sequence: required(sequence, 'Its number in the journal: one more than that of the previous event.'),
  occurred_at: required(timestamp, "When it happened, as far as the device knows the service's time."),
  clock_unsure: optional(flag, 'True if the clock has not been synchronized since a cold start.'),
}
const who = {
  access_method: required(choice(...accessMethods), 'How the member acted.'),
  member_id: nullable(reference('member'), 'The member. Absent if unknown.'),
  credential_id: nullable(credentialId, 'The PIN or card. Absent for passes.'),
}
const what = {
  gadget_id: required(reference('gadget'), 'The gadget.'),
  action_id: required(localId, 'Its action.'),
}

/** Chosen by a controller for an emergency that it started itself. */
const localEmergencyId = text(64, {
  pattern: /^[A-Za-z0-9_-]{8,64}$/,
  expected: '8 to 64 of A-Z a-z 0-9 _ -',
})
const modes = Object.keys(doorModes) as Mode[]

/** What a door is, as a controller tells it. */
export const modeOfDoor = {
  gadget_id: what.gadget_id,
  mode: required(choice(...modes), 'Its mode.'),
  source: required(choice(...modeSources), 'What sets it.'),
  emergency_ids: optional(
    list(localEmergencyId, { max: 64 }),
    'The emergencies that set it; those that the controller started itself by their `local_id`.',
  ),
  outcome: required(
    choice('done', 'failed'),
    'done: it is held or secured as the mode demands; failed: the hardware did not do it.',
  ),
}
/** A controller may know reasons that the service does not. */
const cause = text(64, { pattern: /^[a-z_]{1,64}$/, expected: 'a cause like lease_ended' })

const decided = {
  decided_by: nullable(
    decidedBy,
    'What decided, with rule_index as given in the slice. Only with the capability `decided_by`.',
  ),
}

const eventParts = {
  use: { ...common, type: required(choice('use'), 'A member used an action.'), ...what, ...who, ...decided },
  denial: {
    ...common,
    type: required(choice('denial'), 'An attempt was denied.'),
    gadget_id: nullable(reference('gadget'), 'The gadget. Absent if no input rule matched.'),
    action_id: nullable(localId, 'The action.'),
    ...who,
    reason: required(reason, 'Why access was denied.'),
    rules: nullable(
      list(triedRule, { max: 1000 }),
      'Every rule that was checked, with rule_index as given in the slice.',
    ),
    next_allowed_at: nullable(timestamp, 'The next time at which access would be allowed.'),
    door: nullable(explainedDoor, 'The mode of the door. Only with the capability `door_modes`.'),
    card_uid: nullable(
      uid,
      'The UID of a card that the device does not know. Only with the capability `card_uids`.',
    ),
    ...decided,
  },
  trigger: {
    ...common,
    type: required(choice('trigger'), 'A trigger ran.'),
    gadget_trigger_id: required(reference('gadget_trigger'), 'The trigger.'),
    ...what,
  },
  trigger_denial: {
    ...common,
    type: required(choice('trigger_denial'), 'A trigger did not run, because its door is locked down.'),
    gadget_trigger_id: required(reference('gadget_trigger'), 'The trigger.'),
    ...what,
  },
  state: {
    ...common,
    type: required(choice('state'), 'A gadget changed its state.'),
    gadget_id: what.gadget_id,
    state_id: required(localId, 'The new state.'),
  },
  signal: {
    ...common,
    type: required(choice('signal'), 'A gadget signalled.'),
    gadget_id: what.gadget_id,
    signal_id: required(localId, 'The signal.'),
  },
  exit: {
    ...common,
    type: required(choice('exit'), 'The device released a door on a request to exit.'),
    ...what,
    signal_id: required(localId, 'The signal of the request.'),
  },
  mode: {
    ...common,
    type: required(choice('mode'), 'The effective mode of a door has changed.'),
    ...modeOfDoor,
    unlock_rule_id: nullable(unlockRuleId, 'The unlock rule that sets it.'),
    cause: nullable(cause, 'What ended the mode before or prevented this one: lease_ended, hardware_failed.'),
  },
  emergency: {
    ...common,
    type: required(choice('emergency'), 'An emergency was started or ended at the device.'),
    action: required(choice('start', 'end'), 'What happened.'),
    emergency_plan_id: required(emergencyPlanId, 'The plan.'),
    local_id: required(
      localEmergencyId,
      'Chosen by the controller. The end of an emergency that it started has the same.',
    ),
    emergency_id: nullable(emergencyId, 'The emergency of the service that is ended.'),
    gadget_id: nullable(reference('gadget'), 'The gadget with the panic button, or the control gadget.'),
    signal_id: nullable(localId, 'The signal of the panic button.'),
    access_method: nullable(choice(...accessMethods), 'How the member acted.'),
    member_id: nullable(reference('member'), 'The member who used the control gadget.'),
    credential_id: nullable(credentialId, 'The PIN or card.'),
  },
  fire: {
    ...common,
    type: required(choice('fire'), 'The fire contact of a site has changed.'),
    site_id: required(reference('site'), 'The site.'),
    state: required(choice('on', 'cleared'), 'cleared: the contact is back, somebody has to reset it.'),
  },
  alarm: {
    ...common,
    type: required(choice('alarm'), 'An alarm of a door has begun or ended.'),
    gadget_id: what.gadget_id,
    alarm_type: required(choice(...doorAlarmTypes), 'What is wrong.'),
    is_over: required(flag, 'False: it has begun. True: it has ended.'),
    started_at: required(timestamp, 'When it began. The end has the same.'),
    ended_at: nullable(timestamp, 'When it ended. Absent while it is on.'),
  },
  /** The journal was full. This entry replaces every event from `from_sequence` to `sequence`. */
  lost: {
    ...common,
    type: required(choice('lost'), 'Events that the journal dropped because it was full.'),
    from_sequence: required(sequence, 'Number of the first dropped event.'),
    count: required(sequence, 'How many events were dropped.'),
  },
}

export type JournalEventType = keyof typeof eventParts
export type JournalEvents = { [Name in JournalEventType]: Shape<(typeof eventParts)[Name]> }
/** An event that a device records and uploads. */
export type JournalEvent = JournalEvents[JournalEventType]

export const journalEvent: Type<JournalEvent> = union('type', eventParts)
