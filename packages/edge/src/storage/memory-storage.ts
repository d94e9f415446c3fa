import type { JournalEvent, SliceMember, SliceRemovals, SliceRows } from '@gatehouse-access/api'
import { lostEvent, planLosses, renumbered } from './journal-loss.ts'
import { smallKinds } from './small-kinds.ts'
import type {
  Change,
  ChangeOf,
  FoundCredential,
  Notes,
  RememberedCommand,
  SmallKind,
  SmallRows,
  Storage,
  Stored,
} from './storage.ts'

interface Rows {
  readonly small: ReadonlyMap<SmallKind, Map<string, { readonly id: string }>>
  readonly members: Map<string, SliceMember>
}

const noRows: Rows = { small: new Map(), members: new Map() }

/**
 * The contents of a disk. Rows that are in force are replaced, never mutated, so that readers keep a consistent
 * view. Nobody reads a generation before it is adopted, so that one grows in place.
 */
export class MemoryDisk {
  notes: Notes & { acknowledged?: number } = {}
  journal_id: string
  readonly journal = new Map<number, JournalEvent>()
  readonly commands = new Map<string, RememberedCommand>()
  readonly #generations = new Map<number, Rows>()
  readonly #limit: number

  constructor(journalId: string, limit = 200_000) {
    this.journal_id = journalId
    this.#limit = limit
  }

  rows(): Rows {
    return this.#generations.get(this.notes.policy?.generation ?? 0) ?? noRows
  }

  write(changes: readonly Change[]): void {
    for (const change of changes) this.#appliers[change.type](copyOf(change) as never)
  }

  readonly #appliers: { readonly [Type in Change['type']]: (change: ChangeOf<Type>) => void } = {
    event: ({ event }) => void this.journal.set(event.sequence, event),
    acknowledge: ({ sequence }) => this.#acknowledge(sequence),
    begin_journal: ({ journal_id, offset }) => this.#beginJournal(journal_id, offset),
    drop: () => this.#drop(),
    command: ({ command }) => void this.commands.set(command.id, command),
    forget_commands: ({ before }) => this.#forgetCommands(before),
    note: ({ notes }) => this.#note(notes),
    stage: () => this.#clearStage(),
    stage_rows: ({ generation, put }) => this.#put(generation, {}, put),
    adopt: ({ policy }) => this.#note({ policy }),
    apply: ({ put, remove, policy }) => {
      this.#put(policy.generation, remove, put)
      this.#note({ policy })
    },
  }

  #note(notes: Notes & { acknowledged?: number }): void {
    this.notes = { ...this.notes, ...notes }
  }

  #acknowledge(acknowledged: number): void {
    for (const sequence of this.journal.keys()) if (sequence <= acknowledged) this.journal.delete(sequence)
    this.#note({ acknowledged })
  }

  #beginJournal(journalId: string, offset: number): void {
    const kept = [...this.journal.values()].filter(({ sequence }) => sequence > offset)
    this.journal.clear()
    for (const event of kept) this.journal.set(event.sequence - offset, renumbered(event, offset))
    this.journal_id = journalId
    this.#note({ acknowledged: 0 })
  }

  #forgetCommands(before: number): void {
    for (const { id, deadline } of this.commands.values()) if (deadline < before) this.commands.delete(id)
  }

  #clearStage(): void {
    for (const generation of this.#generations.keys())
      if (generation !== this.notes.policy?.generation) this.#generations.delete(generation)
  }

  #put(generation: number, remove: SliceRemovals, put: SliceRows): void {
    const before = this.#generations.get(generation) ?? noRows
    const isRead = before === noRows || before === this.rows()
    const small = new Map(
      smallKinds.map(kind => [kind, replaced(before.small.get(kind), remove[kind], put[kind], isRead)]),
    )
    const members = replaced(before.members, remove.members, put.members, isRead)
    this.#generations.set(generation, { small, members })
  }

  #drop(): void {
    const oldest = [...this.journal.values()].sort((a, b) => a.sequence - b.sequence)
    const entries = oldest.slice(0, Math.ceil(this.#limit / 2)).map(event => ({
      sequence: event.sequence,
      type: event.type,
      from: event.type === 'lost' ? event.from_sequence : event.sequence,
    }))
    for (const loss of planLosses(entries, Math.ceil(this.#limit / 100))) {
      const { occurred_at } = this.journal.get(loss.to) as JournalEvent
      for (let sequence = loss.first_sequence; sequence <= loss.to; sequence++) this.journal.delete(sequence)
      this.journal.set(loss.to, lostEvent(loss, occurred_at))
    }
  }
}

/** Rows are not copied: there may be a hundred thousand, and nobody mutates those that a service sent. */
function copyOf(change: Change): Change {
  return change.type === 'stage_rows' ? change : structuredClone(change)
}

function replaced<Row extends { readonly id: string }>(
  before: Map<string, Row> | undefined,
  removed: readonly string[] | null | undefined,
  put: readonly Row[] | null | undefined,
  isRead: boolean,
): Map<string, Row> {
  const rows = isRead || !before ? new Map(before) : before
  for (const id of removed ?? []) rows.delete(id)
  for (const row of put ?? []) rows.set(row.id, row)
  return rows
}

/**
 * Opens a storage on a memory disk. `settle` decides when a write completes; a simulation can delay it or
 * never complete it.
 */
export function openMemoryStorage(
  disk: MemoryDisk,
  settle: (apply: () => void) => Promise<void> = async apply => apply(),
): Storage {
  let rows = disk.rows()
  return {
    load: () => loadDisk(disk),
    write: changes => settle(() => disk.write(changes)),
    async readJournal(after, limit) {
      const events = [...disk.journal.values()].filter(({ sequence }) => sequence > after)
      return events.sort((a, b) => a.sequence - b.sequence).slice(0, limit)
    },
    refresh() {
      rows = disk.rows()
    },
    scrub: async () => {},
    smallRows: () =>
      Object.fromEntries(
        smallKinds.map(kind => [kind, [...(rows.small.get(kind)?.values() ?? [])]]),
      ) as unknown as SmallRows,
    findCredentials: (kind, hash) => findCredentials(rows, kind, hash),
    findMember: id => rows.members.get(id),
    close: async () => {},
  }
}

function findCredentials(rows: Rows, kind: string, hash: string): FoundCredential[] {
  return [...rows.members.values()].flatMap(member =>
    member.credentials
      .filter(credential => credential.kind === kind && credential.hash === hash)
      .map(({ id }) => ({ id, member_id: member.id })),
  )
}

function loadDisk(disk: MemoryDisk): Stored {
  const { acknowledged = 0, ...notes } = disk.notes
  return {
    notes,
    journal_id: disk.journal_id,
    acknowledged,
    last_sequence: Math.max(0, acknowledged, ...disk.journal.keys()),
    events: disk.journal.size,
    commands: [...disk.commands.values()],
  }
}
