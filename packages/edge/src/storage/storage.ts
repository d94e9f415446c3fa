import type {
  JournalEvent,
  PassKey,
  SliceKind,
  SliceMember,
  SliceRemovals,
  SliceRow,
  SliceRows,
} from '@gatehouse/api'
import type { KeypadPause } from '@gatehouse/core'
import type { Anchor } from '../clock.ts'

/** Which policy decides: its version and hash, and the keys that came with it. */
export interface PolicyHead {
  /** Where its rows lie: a new snapshot is written beside the old one. */
  readonly generation: number
  readonly version: number
  readonly hash: string
  /** Makes the keyed hashes of PINs and cards: 32 bytes in base64url. */
  readonly key: string
  readonly pass_keys: readonly PassKey[]
}

export type CommandOutcome = 'done' | 'failed' | 'refused' | 'timed_out'

/** A command that was begun. Without an outcome nobody knows how it ended. */
export interface RememberedCommand {
  readonly id: string
  readonly deadline: number
  readonly outcome: CommandOutcome | null
  readonly reason: string | null
}

/** Small things that are kept by name. */
export interface Notes {
  device_id?: string
  policy?: PolicyHead
  anchor?: Anchor
  keypad_pause?: KeypadPause
  /** Up to when schedules have set off what they had to. */
  schedules_seen_at?: number
  /** The state each gadget was last in. */
  states?: Readonly<Record<string, string>>
}

export type SmallKind = Exclude<SliceKind, 'members'>
export type SmallRows = { readonly [Kind in SmallKind]: readonly SliceRow<Kind>[] }

/** What the disk holds when the controller starts. */
export interface Stored {
  readonly notes: Notes
  readonly journal_id: string
  /** The service has everything up to this one. */
  readonly acknowledged: number
  /** The number of the newest event that was ever written, 0 before the first. */
  readonly last_sequence: number
  readonly events: number
  readonly commands: readonly RememberedCommand[]
}

export type Change =
  | { type: 'event'; event: JournalEvent }
  | { type: 'acknowledge'; sequence: number }
  /** What is after `offset` becomes a new journal, numbered from 1; the rest is dropped. */
  | { type: 'begin_journal'; journal_id: string; offset: number }
  /** Makes room in a full journal. */
  | { type: 'drop' }
  | { type: 'command'; command: RememberedCommand }
  | { type: 'forget_commands'; before: number }
  | { type: 'note'; notes: Notes }
  /** Clears what an unfinished snapshot left. */
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
 * The disk of one device. A write is one transaction: when its promise is fulfilled everything of it survives the loss of
 * power, and before that all of it or nothing. Writes take effect in the order they are asked for.
 * Reads of the policy are immediate and see it as of the last `refresh`, so that a decision never sees half of a change.
 */
export interface Storage {
  load(): Stored
  write(changes: readonly Change[]): Promise<void>
  /** Events after a sequence, in order. */
  readJournal(after: number, limit: number): Promise<JournalEvent[]>
  refresh(): void
  smallRows(): SmallRows
  findCredentials(kind: 'pin' | 'card', hash: string): FoundCredential[]
  findMember(id: string): SliceMember | undefined
  close(): Promise<void>
}

/** How many events a journal holds at the most. */
export const journalLimit = 200_000
