import type {
  JournalEvent,
  PassKey,
  SliceKind,
  SliceMember,
  SliceRemovals,
  SliceRow,
  SliceRows,
} from '@gatehouse-access/api'
import type { KeypadPause } from '@gatehouse-access/core'
import type { AlarmMemory } from '../alarms/alarm-memory.ts'
import type { Anchor } from '../clock.ts'
import type { DoorMemory } from '../modes/door-memory.ts'

/** Identifies the policy in force: its version and hash, and the keys that came with it. */
export interface PolicyHead {
  /** The generation of its rows. A new snapshot is written next to the old one. */
  readonly generation: number
  readonly version: number
  readonly hash: string
  /** The key for the hashes of PINs and cards: 32 bytes in base64url. */
  readonly key: string
  readonly pass_keys: readonly PassKey[]
}

export type CommandOutcome = 'done' | 'failed' | 'refused' | 'timed_out'

/** A command that was started. Without an outcome, its result is unknown. */
export interface RememberedCommand {
  readonly id: string
  readonly deadline: number
  readonly outcome: CommandOutcome | null
  readonly reason: string | null
}

/** Small named values. */
export interface Notes {
  device_id?: string
  policy?: PolicyHead
  anchor?: Anchor
  keypad_pause?: KeypadPause
  /** The time up to which schedule triggers have run. */
  schedules_seen_at?: number
  /** The last known state of each gadget. */
  states?: Readonly<Record<string, string>>
  /** What sets the modes of doors beyond the policy, and what they were last made to be. */
  doors?: DoorMemory
  /** The alarms of doors that are on. */
  alarms?: AlarmMemory
}

export type SmallKind = Exclude<SliceKind, 'members'>
export type SmallRows = { readonly [Kind in SmallKind]: readonly SliceRow<Kind>[] }

/** The contents of the disk when the controller starts. */
export interface Stored {
  readonly notes: Notes
  readonly journal_id: string
  /** The sequence up to which the service has everything. */
  readonly acknowledged: number
  /** The sequence of the newest event ever written; 0 before the first. */
  readonly last_sequence: number
  readonly events: number
  readonly commands: readonly RememberedCommand[]
}

export type Change =
  | { type: 'event'; event: JournalEvent }
  | { type: 'acknowledge'; sequence: number }
  /** Moves the events after `offset` to a new journal, numbered from 1. The others are dropped. */
  | { type: 'begin_journal'; journal_id: string; offset: number }
  /** Makes room in a full journal. */
  | { type: 'drop' }
  | { type: 'command'; command: RememberedCommand }
  | { type: 'forget_commands'; before: number }
  | { type: 'note'; notes: Notes }
  /** Clears the remains of an unfinished snapshot. */
  | { type: 'stage'; generation: number }
  | { type: 'stage_rows'; generation: number; put: SliceRows }
  | { type: 'adopt'; policy: PolicyHead }
  | { type: 'apply'; put: SliceRows; remove: SliceRemovals; policy: PolicyHead }

export type ChangeOf<Type extends Change['type']> = Extract<Change, { type: Type }>

export interface FoundCredential {
  readonly id: string
  readonly member_id: string
}

/**
 * The disk of one device. A write is one transaction: once its promise resolves, all of it survives a power
 * loss; before that, all of it or nothing does. Writes take effect in call order. Policy reads are
 * synchronous and see the state of the last `refresh`, so that a decision never sees half of a change.
 */
export interface Storage {
  load(): Stored
  write(changes: readonly Change[]): Promise<void>
  /** Returns the events after a sequence, in order. */
  readJournal(after: number, limit: number): Promise<JournalEvent[]>
  refresh(): void
  /**
   * Makes sure that the disk holds nothing of what was deleted. Called when no write is in progress and the
   * reads see everything that was written.
   */
  scrub(): Promise<void>
  smallRows(): SmallRows
  findCredentials(kind: 'pin' | 'card', hash: string): FoundCredential[]
  findMember(id: string): SliceMember | undefined
  close(): Promise<void>
}

/** The maximum number of events in a journal. */
export const journalLimit = 200_000
