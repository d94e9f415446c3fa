import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JournalEvent, SliceMember, SliceRemovals, SliceRows } from '@gatehouse-access/api'
import { type JournalEntry, lostEvent, planLosses, renumbered } from './journal-loss.ts'
import {
  type Change,
  type ChangeOf,
  journalLimit,
  type Notes,
  type PolicyHead,
  type SmallKind,
} from './storage.ts'

/** How many of the oldest entries are considered, and how many are freed at once. */
const lookedAt = journalLimit / 2
const madeFree = journalLimit / 100

/** All writes to the file of a device. */
export class SqliteWriter {
  readonly #db: DatabaseSync
  readonly #smallKinds: readonly SmallKind[]
  readonly #statements = new Map<string, StatementSync>()

  /**
   * The thread's creator passes the kinds: loading the module that declares them takes longer than all the
   * work here.
   */
  constructor(db: DatabaseSync, smallKinds: readonly SmallKind[]) {
    this.#db = db
    this.#smallKinds = smallKinds
  }

  /** Writes all changes or none. They are on disk when it returns. */
  write(changes: readonly Change[]): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      for (const change of changes) this.#appliers[change.type](change as never)
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      throw error
    }
  }

  readJournal(after: number, limit: number): JournalEvent[] {
    const rows = this.#prepare('SELECT value FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?').all(
      after,
      limit,
    )
    return rows.map(row => JSON.parse(String(row.value)))
  }

  readonly #appliers: { readonly [Type in Change['type']]: (change: ChangeOf<Type>) => void } = {
    event: ({ event }) => this.#putEvent(event),
    acknowledge: ({ sequence }) => this.#acknowledge(sequence),
    begin_journal: ({ journal_id, offset }) => this.#beginJournal(journal_id, offset),
    drop: () => this.#drop(),
    command: ({ command: { id, deadline, outcome, reason } }) =>
      this.#run('INSERT OR REPLACE INTO commands VALUES (?, ?, ?, ?)', id, deadline, outcome, reason),
    forget_commands: ({ before }) => this.#run('DELETE FROM commands WHERE deadline < ?', before),
    note: ({ notes }) => this.#putNotes(notes),
    stage: () => this.#clearExcept(this.#current()),
    stage_rows: ({ generation, put }) => this.#put(generation, put),
    adopt: ({ policy }) => this.#adopt(policy),
    apply: ({ put, remove, policy }) => {
      this.#remove(policy.generation, remove)
      this.#put(policy.generation, put)
      this.#note('policy', policy)
    },
  }

  #acknowledge(sequence: number): void {
    this.#run('DELETE FROM journal WHERE sequence <= ?', sequence)
    this.#note('acknowledged', sequence)
  }

  #beginJournal(journalId: string, offset: number): void {
    const kept = this.readJournal(offset, Number.MAX_SAFE_INTEGER)
    this.#run('DELETE FROM journal')
    for (const event of kept) this.#putEvent(renumbered(event, offset))
    this.#note('journal_id', journalId)
    this.#note('acknowledged', 0)
  }

  #putEvent(event: JournalEvent): void {
    this.#run(
      'INSERT OR REPLACE INTO journal VALUES (?, ?, ?)',
      event.sequence,
      event.type,
      JSON.stringify(event),
    )
  }

  #drop(): void {
    const rows = this.#prepare(
      `SELECT sequence, type, coalesce(json_extract(value, '$.from_sequence'), sequence) AS "from"
       FROM journal ORDER BY sequence LIMIT ?`,
    ).all(lookedAt) as unknown as JournalEntry[]
    if (rows.length <= madeFree) return
    for (const loss of planLosses(rows, madeFree)) {
      const last = this.#prepare('SELECT value FROM journal WHERE sequence = ?').get(loss.to)
      const { occurred_at }: JournalEvent = JSON.parse(String(last?.value))
      this.#run('DELETE FROM journal WHERE sequence BETWEEN ? AND ?', loss.first_sequence, loss.to)
      this.#putEvent(lostEvent(loss, occurred_at))
    }
  }

  #adopt(policy: PolicyHead): void {
    this.#clearExcept(policy.generation)
    this.#note('policy', policy)
  }

  #current(): number {
    const row = this.#prepare(`SELECT value FROM notes WHERE name = 'policy'`).get()
    const policy: PolicyHead | undefined = row && JSON.parse(String(row.value))
    return policy?.generation ?? 0
  }

  #clearExcept(generation: number): void {
    for (const table of ['rows', 'members', 'credentials'])
      this.#run(`DELETE FROM ${table} WHERE generation <> ?`, generation)
  }

  #put(generation: number, put: SliceRows): void {
    for (const kind of this.#smallKinds)
      for (const row of put[kind] ?? [])
        this.#run(
          'INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)',
          generation,
          kind,
          row.id,
          JSON.stringify(row),
        )
    for (const member of put.members ?? []) this.#putMember(generation, member)
  }

  #putMember(generation: number, member: SliceMember): void {
    this.#removeMember(generation, member.id)
    this.#run('INSERT INTO members VALUES (?, ?, ?)', generation, member.id, JSON.stringify(member))
    for (const { id, kind, hash } of member.credentials)
      this.#run(
        'INSERT OR REPLACE INTO credentials VALUES (?, ?, ?, ?, ?)',
        generation,
        hash,
        kind,
        id,
        member.id,
      )
  }

  #removeMember(generation: number, id: string): void {
    const row = this.#prepare('SELECT value FROM members WHERE generation = ? AND id = ?').get(generation, id)
    if (!row) return
    const member: SliceMember = JSON.parse(String(row.value))
    for (const { hash, kind, id: credentialId } of member.credentials)
      this.#run(
        'DELETE FROM credentials WHERE generation = ? AND hash = ? AND kind = ? AND id = ?',
        generation,
        hash,
        kind,
        credentialId,
      )
    this.#run('DELETE FROM members WHERE generation = ? AND id = ?', generation, id)
  }

  #remove(generation: number, remove: SliceRemovals): void {
    for (const kind of this.#smallKinds)
      for (const id of remove[kind] ?? [])
        this.#run('DELETE FROM rows WHERE generation = ? AND kind = ? AND id = ?', generation, kind, id)
    for (const id of remove.members ?? []) this.#removeMember(generation, id)
  }

  #putNotes(notes: Notes): void {
    for (const [name, value] of Object.entries(notes)) this.#note(name, value)
  }

  #note(name: string, value: unknown): void {
    this.#run('INSERT OR REPLACE INTO notes VALUES (?, ?)', name, JSON.stringify(value))
  }

  #run(text: string, ...values: (string | number | null)[]): void {
    this.#prepare(text).run(...values)
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#db.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}
