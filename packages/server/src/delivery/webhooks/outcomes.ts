import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt } from '@gatehouse/api'
import type { Logger } from 'pino'
import type { Database } from '../../store/db.ts'

/** What an attempt led to. */
export interface Outcome {
  readonly organization_id: string
  readonly id: string
  readonly attempt: Attempt
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly round_started_at: string
  readonly next_attempt_at: string | null
  readonly finished_at: string | null
}

interface Entry {
  readonly outcome: Outcome
  readonly done: () => void
}

const most = 500

/**
 * Records outcomes in batches: while one statement runs, the next batch gathers. While the database is away they are
 * kept and tried again, since forgetting a 2xx would send the event twice.
 */
export class Outcomes implements AsyncDisposable {
  #db: Database
  #log: Logger
  #waiting: Entry[] = []
  #writing: Promise<void> | undefined
  #isClosing = false

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  record(outcome: Outcome): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ outcome, done: resolve })
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return promise
  }

  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, most)
      await this.#persist(batch)
      for (const { done } of batch) done()
    }
  }

  async #persist(batch: readonly Entry[]): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await storeOutcomes(this.#db, batch)
      } catch (error) {
        this.#log.warn({ err: error }, 'outcomes of deliveries cannot be recorded; trying again')
        if (this.#isClosing && tries > 3) return
        await sleep(250)
      }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#writing
  }
}

/** A delivery that was canceled meanwhile stays so, unless it was accepted after all. */
async function storeOutcomes(db: Database, batch: readonly Entry[]): Promise<void> {
  await db.query(
    `UPDATE webhook_deliveries d SET attempts = d.attempts || o.attempt, round_started_at = o.round_started_at,
       status = CASE WHEN d.status = 'pending' OR o.status = 'succeeded' THEN o.status ELSE d.status END,
       next_attempt_at = CASE WHEN d.status = 'pending' THEN o.next_attempt_at END,
       finished_at = CASE WHEN d.status = 'pending' OR o.status = 'succeeded' THEN o.finished_at ELSE d.finished_at END
     FROM jsonb_to_recordset($1::jsonb) AS o(organization_id text, id text, attempt jsonb, status text,
       round_started_at timestamptz, next_attempt_at timestamptz, finished_at timestamptz)
     WHERE d.organization_id = o.organization_id AND d.id = o.id`,
    [batch.map(({ outcome }) => outcome)],
  )
}
