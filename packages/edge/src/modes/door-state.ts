import type { DoorMode } from '@gatehouse-access/core'
import type { Driven } from '../drivers/driver.ts'
import type { EventDraft } from '../recorder.ts'
import type { DrivenDoor, Position } from './door-memory.ts'
import { type DoorGadget, wantedPosition } from './position.ts'

/** A door in the hands of the keeper. Another mode makes another object. */
export interface DoorState {
  gadget: DoorGadget
  record: DrivenDoor
  readonly wanted: Position | null
  /** When to drive it again, in microseconds of the monotonic clock; Infinity if it is as it should be. */
  due: number
  /** Failures in a row. */
  tries: number
  /** Counts its orders: only the outcome of the last one counts. */
  attempt: number
  /** Since when it waits for the disk, and what ends that. */
  waits_since: number
  go: () => void
  /** Whether the service has been told what it is now. */
  is_reported: boolean
}

/** A door that no mode concerns. */
export const noMode: DrivenDoor = {
  mode: 'controlled',
  source: 'default',
  unlock_rule_id: null,
  emergency_ids: [],
  position: null,
  outcome: 'done',
  told: 'done',
}

const idle = { due: Infinity, tries: 0, attempt: 0, waits_since: Infinity, go: () => {}, is_reported: false }

/** A door whose hardware may have moved, or whose order was under way, is driven again at once. */
export function beginDoor(gadget: DoorGadget, record: DrivenDoor = noMode): DoorState {
  const wanted = wantedPosition(record.mode, record.source, record)
  const isSettled = wanted === null || (record.position === wanted && record.outcome !== null)
  return { ...idle, gadget, record, wanted, due: isSettled ? Infinity : -Infinity }
}

/** What is new about the mode of a door: nothing, only which emergencies or rule set it, or the mode itself. */
export function compareMode(
  { gadget: before, record }: DoorState,
  gadget: DoorGadget,
  mode: DoorMode,
): 'same' | 'cause' | 'mode' {
  if (record.mode !== mode.effective || record.source !== mode.source) return 'mode'
  if (record.source === 'default') return 'same'
  if (!hasSameActions(before, gadget)) return 'mode'
  const isSameRule = record.unlock_rule_id === mode.unlock_rule_id
  return isSameRule && record.emergency_ids.join() === mode.emergency_ids.join() ? 'same' : 'cause'
}

export function inMode(
  before: DoorState,
  gadget: DoorGadget,
  mode: DoorMode,
  cause: DrivenDoor['cause'],
): DoorState {
  const { effective, source, unlock_rule_id, emergency_ids } = mode
  const isKnown = hasSameActions(before.gadget, gadget)
  const record: DrivenDoor = {
    mode: effective,
    source,
    unlock_rule_id,
    emergency_ids,
    position: isKnown ? before.record.position : null,
    outcome: null,
    told: null,
    ...(cause && { cause }),
  }
  return { ...idle, gadget, record, wanted: wantedPosition(effective, source, before.record) }
}

/**
 * Notes what the hardware did. Returns the event for the journal: each change has one, and so has hardware
 * that fails later, or works again.
 */
export function withOutcome(state: DoorState, driven: Driven, forgiven: number): EventDraft | null {
  const { outcome } = driven
  const { told, cause, ...record } = state.record
  state.tries = outcome === 'done' ? 0 : state.tries + 1
  const isNews = told === null || (told !== outcome && (outcome === 'done' || state.tries >= forgiven))
  if (record.outcome !== outcome) state.is_reported = false
  // What becomes of a door that is in nobody's hands is not known.
  const position = outcome === 'done' && record.source !== 'default' ? state.wanted : null
  state.record = { ...record, outcome, position, told: isNews ? outcome : told }
  if (!isNews) return null
  const { mode, source, unlock_rule_id } = record
  const reason = cause ?? (driven.outcome === 'failed' ? failureOf(driven.reason) : undefined)
  return {
    type: 'mode',
    ...reportOf(state),
    mode,
    source,
    outcome,
    ...(source === 'unlock_rule' && unlock_rule_id !== null && { unlock_rule_id }),
    ...(reason && { cause: reason }),
  }
}

export function reportOf({ gadget, record }: DoorState) {
  const { mode, source, emergency_ids, outcome } = record
  return {
    gadget_id: gadget.id,
    mode,
    source,
    ...(emergency_ids.length > 0 && { emergency_ids: emergency_ids.slice(0, mostEmergencies) }),
    outcome: outcome ?? ('failed' as const),
  }
}

/** As many as a message may have. */
const mostEmergencies = 64

function failureOf(reason: string): string {
  return reason === 'cannot_hold' ? reason : 'hardware_failed'
}

function hasSameActions({ door }: DoorGadget, { door: other }: DoorGadget): boolean {
  return door.hold_action_id === other.hold_action_id && door.secure_action_id === other.secure_action_id
}
