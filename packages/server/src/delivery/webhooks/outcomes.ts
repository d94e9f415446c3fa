import type { Logger } from 'pino'
import { isAway, isEnded } from '../../database/away.ts'
import type { Database } from '../../database/db.ts'
import { pause, type Timers } from '../../flow/timers.ts'
import { pauseAfter, Trouble } from '../../monitoring/trouble.ts'
import type { Outcome } from './outcome.ts'
import { type FinishedBatch, storeOutcomes } from './store-outcomes.ts'

interface Entry {
  readonly outcome: Outcome
  readonly recorded: () => void
}

interface OutcomesContext {
  readonly db: Database
  readonly log: Logger
  readonly timers: Timers
}

const largestBatch = 500

/**
 * Records outcomes in batches: while a statement runs, the next batch accumulates. If the database is away,
 * outcomes are kept and retried, since losing a 2xx would send the event twice.
 */
export class Outcomes implements AsyncDisposable {
  #db: Database
  #timers: Timers
  #trouble: Trouble
  #waiting: Entry[] = []
  #writing: Promise<void> | undefined
  #isClosing = false

  constructor({ db, log, timers }: OutcomesContext) {
    this.#db = db
    this.#timers = timers
    this.#trouble = new Trouble(log, 'outcomes of deliveries cannot be recorded; trying again')
  }

  /** Calls `recorded` once stored, or given up on shutdown. A batch's last outcome also deletes the batch. */
  record(outcome: Outcome, recorded: () => void): void {
    this.#waiting.push({ outcome, recorded })
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, largestBatch)
      const outcomes = entries.map(({ outcome }) => outcome)
      await this.#persist(outcomes, finishBatches(outcomes))
      for (const { recorded } of entries) recorded()
    }
  }

  async #persist(outcomes: readonly Outcome[], finished: readonly FinishedBatch[]): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        await storeOutcomes(this.#db, outcomes, finished)
        return this.#trouble.over()
      } catch (error) {
        this.#trouble.met(error)
        if (isEnded(error) || (this.#isClosing && tries > 3)) return
        await pause(this.#timers, isAway(error) ? 250 : Math.min(pauseAfter(tries), 5000))
      }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#writing
  }
}

/** Returns the batches that these outcomes complete. */
function finishBatches(outcomes: readonly Outcome[]): FinishedBatch[] {
  const finished: FinishedBatch[] = []
  for (const { delivery } of outcomes) {
    const { event_id, batch, source } = delivery
    if (!batch?.left.delete(event_id) || batch.left.size > 0) continue
    finished.push({ organization_id: source.organization_id, webhook_id: source.webhook_id, id: batch.id })
  }
  return finished
}
