import type { JournalEvent, JournalEvents, JournalEventType } from '@gatehouse-access/api'
import { fromMicroseconds, messageOf } from '@gatehouse-access/core'
import type { Moment } from './clock.ts'
import { type Log, type Platform, sleep } from './platform.ts'
import { type Change, journalLimit, type Storage, type Stored } from './storage/storage.ts'

type Common = 'sequence' | 'occurred_at' | 'clock_unsure'
/** An event without its sequence and its time. */
export type EventDraft = { [Type in JournalEventType]: Omit<JournalEvents[Type], Common> }[JournalEventType]

interface Batch {
  readonly changes: Change[]
  readonly done: PromiseWithResolvers<void>
  /** Set on the last write of a batch. */
  after?: () => void
  /** Afterwards nothing of what was deleted may be left on the disk. */
  scrubs?: boolean
}

const retryAfter = 1000

/**
 * All writes go through here, in order. Changes that arrive during a write are batched into the next write,
 * to keep the number of disk writes low. A failed write is retried for as long as the process lives.
 */
export class Recorder {
  readonly #storage: Storage
  readonly #platform: Platform
  readonly #log: Log
  #journalId: string
  #acknowledged: number
  #lastSequence: number
  #events: number
  #lastTime = 0
  #queue: Batch[] = []
  #isWriting = false
  #durable: number
  /** Events up to this sequence may tell of somebody who was erased, or whoever was erased before the start. */
  #scrubAfter: number
  /** Called when there are new events to upload. */
  onEvents: () => void = () => {}

  constructor(storage: Storage, stored: Stored, platform: Platform, log: Log) {
    this.#storage = storage
    this.#platform = platform
    this.#log = log
    this.#journalId = stored.journal_id
    this.#acknowledged = stored.acknowledged
    this.#lastSequence = stored.last_sequence
    this.#durable = stored.last_sequence
    this.#events = stored.events
    this.#scrubAfter = stored.events > 0 ? stored.last_sequence : 0
  }

  get journal_id(): string {
    return this.#journalId
  }

  /** The sequence up to which the service has everything, as far as this device knows. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** The sequence of the newest event on disk. Only events on disk are uploaded. */
  get last_sequence(): number {
    return this.#durable
  }

  /** Resolves when all changes are on disk. */
  write(...changes: Change[]): Promise<void> {
    const batch = this.#openBatch()
    batch.changes.push(...changes)
    if (!this.#isWriting) void this.#writeAll()
    return batch.done.promise
  }

  /** Closes the batch. `after` runs before the next write, so that the disk is never ahead of the memory. */
  writePolicy(change: Change, after: () => void): Promise<void> {
    const written = this.write(change)
    this.#openBatch().after = after
    return written
  }

  /** The same, and whatever it deletes is erased from the disk: also from the journal, once its events are acknowledged. */
  erase(change: Change, after: () => void): Promise<void> {
    const written = this.write(change)
    this.#scrubAfter = this.#lastSequence
    Object.assign(this.#openBatch(), { after, scrubs: true })
    return written
  }

  /** Assigns an event its sequence and a time that never goes back. Callers need not await `written`. */
  append(
    draft: EventDraft,
    moment: Moment,
    ...beside: Change[]
  ): { event: JournalEvent; written: Promise<void> } {
    this.#lastTime = Math.max(this.#lastTime, moment.time)
    const event = {
      ...draft,
      sequence: ++this.#lastSequence,
      occurred_at: fromMicroseconds(this.#lastTime),
      ...(!moment.is_sure && { clock_unsure: true }),
    } as JournalEvent
    const room: Change[] = ++this.#events > journalLimit ? this.#makeRoom() : []
    return { event, written: this.write({ type: 'event', event }, ...beside, ...room) }
  }

  /** Moves the events after `offset` to a new journal. New events are already numbered for it. */
  beginJournal(journal_id: string, offset: number): Promise<void> {
    this.#journalId = journal_id
    this.#acknowledged = 0
    this.#lastSequence = Math.max(0, this.#lastSequence - offset)
    this.#events = this.#lastSequence
    this.#scrubAfter = Math.max(0, this.#scrubAfter - offset)
    return this.write({ type: 'begin_journal', journal_id, offset })
  }

  acknowledge(sequence: number): Promise<void> {
    this.#acknowledged = sequence
    this.#events = Math.max(0, this.#lastSequence - sequence)
    const isLast = this.#scrubAfter > 0 && sequence >= this.#scrubAfter
    const written = this.write({ type: 'acknowledge', sequence })
    if (isLast) {
      this.#scrubAfter = 0
      this.#openBatch().scrubs = true
    }
    return written
  }

  /**
   * Only the storage knows how many entries it frees. If this count is too low, the storage is merely asked
   * again too early.
   */
  #makeRoom(): Change[] {
    this.#events -= journalLimit / 100
    this.#log.error('the journal is full: its oldest events are dropped')
    return [{ type: 'drop' }]
  }

  #openBatch(): Batch {
    const last = this.#queue.at(-1)
    if (last && !last.after && !last.scrubs) return last
    const batch = { changes: [], done: Promise.withResolvers<void>() }
    this.#queue.push(batch)
    return batch
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    await Promise.resolve()
    for (let batch = this.#queue.shift(); batch; batch = this.#queue.shift()) {
      await this.#writeUntilDone(batch.changes)
      this.#noteDurable(batch.changes)
      batch.after?.()
      if (batch.scrubs) await this.#scrub()
      batch.done.resolve()
    }
    this.#isWriting = false
  }

  async #writeUntilDone(batch: readonly Change[]): Promise<void> {
    for (;;) {
      try {
        return await this.#storage.write(batch)
      } catch (error) {
        this.#log.error(`cannot write to the disk: ${messageOf(error)}`)
        await sleep(this.#platform, retryAfter)
      }
    }
  }

  /** Somebody may have the file open. Events at doors do not wait for that: it is tried again with the next acknowledgement. */
  async #scrub(): Promise<void> {
    try {
      await this.#storage.scrub()
    } catch (error) {
      this.#log.error(`what was erased may still be on the disk: ${messageOf(error)}`)
      this.#scrubAfter = Math.max(1, this.#lastSequence)
    }
  }

  #noteDurable(batch: readonly Change[]): void {
    for (const change of batch) {
      if (change.type === 'event') this.#durable = change.event.sequence
      if (change.type === 'begin_journal') this.#durable = Math.max(0, this.#durable - change.offset)
    }
    if (batch.some(({ type }) => type === 'event')) this.onEvents()
  }
}
