import { accessMethods } from '@gatehouse/core'
import { list, nullable, optional, required, type Shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'
import { triedRule } from '../resources/access.ts'
import { union } from './union.ts'

export const sequence = integer(1, Number.MAX_SAFE_INTEGER)
/** Names one journal: a device whose disk was replaced begins a new one, at sequence 1. */
export const journalId = text(64, {
  pattern: /^[A-Za-z0-9_-]{8,64}$/,
  expected: '8 to 64 of A-Z a-z 0-9 _ -',
})

/** Engine reasons, and those of the device: `clock_unsure`, `keypad_paused`, `pass_invalid`, `pass_expired`, `hardware_failed`, `unreachable`. */
const reason = text(64, { pattern: /^[a-z_]{1,64}$/, expected: 'a reason like outside_schedule' })
const credentialId = text(64, {
  pattern: /^(mp|mc)_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of a PIN or of a card of a member',
})

const common = {
  sequence: required(sequence, 'Its number in the journal: one more than that of the event before.'),
  occurred_at: required(timestamp, "When it happened, by the device's best knowledge of the service's time."),
  clock_unsure: optional(flag, 'True: the clock was not synchronized since a cold start.'),
}
const who = {
  access_method: required(choice(...accessMethods), 'How.'),
  member_id: nullable(reference('member'), 'Who; absent when not known.'),
  credential_id: nullable(credentialId, 'The PIN or card; absent for passes.'),
}
const what = {
  gadget_id: required(reference('gadget'), 'The gadget.'),
  action_id: required(localId, 'Its action.'),
}

const eventParts = {
  /** A member opened. */
  use: { ...common, type: required(choice('use'), 'A member used an action.'), ...what, ...who },
  /** Somebody tried in vain. */
  denial: {
    ...common,
    type: required(choice('denial'), 'An attempt was denied.'),
    gadget_id: nullable(reference('gadget'), 'What for; absent when no input rule was met.'),
    action_id: nullable(localId, 'Which action.'),
    ...who,
    reason: required(reason, 'Why.'),
    rules: nullable(list(triedRule, { max: 1000 }), 'Each rule tried; rule_index as the slice gives it.'),
    next_allowed_at: nullable(timestamp, 'The next instant at which it would pass.'),
  },
  /** A trigger ran. */
  trigger: {
    ...common,
    type: required(choice('trigger'), 'A trigger ran.'),
    gadget_trigger_id: required(reference('gadget_trigger'), 'The trigger.'),
    ...what,
  },
  /** A gadget came into another state. */
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
  /** The journal was full: this stands for every event from `from_sequence` to `sequence`. */
  lost: {
    ...common,
    type: required(choice('lost'), 'Events that the full journal had to drop.'),
    from_sequence: required(sequence, 'The first one that is gone.'),
    count: required(sequence, 'How many are gone.'),
  },
}

export type JournalEventType = keyof typeof eventParts
export type JournalEvents = { [Name in JournalEventType]: Shape<(typeof eventParts)[Name]> }
/** What a device writes down and uploads. */
export type JournalEvent = JournalEvents[JournalEventType]

export const journalEvent: Type<JournalEvent> = union('type', eventParts) as never
