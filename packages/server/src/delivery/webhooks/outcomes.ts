import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt } from '@gatehouse/api'
import type { Logger } from 'pino'
import type { Database } from '../../store/db.ts'
import type { Batch } from './waiting.ts'

/** What an attempt led to. */
export interface Outcome {
  readonly organization_id: string
  readonly webhook_id: string
  readonly oauth_application_id: string
  readonly id: string
  readonly event_id: string
  readonly reader: string
  readonly created_at: string
  readonly attempts: readonly [Attempt]
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly round_started_at: string
  readonly next_attempt_at: string | null
  readonly finished_at: string | null
}

interface Entry {
  readonly outcome: Outcome
  readonly batch: Batch | undefined
  readonly done: () => void
}

const most = 500
const columns = `id, organization_id, webhook_id, oauth_application_id, event_id, reader, status, attempts, next_attempt_at,
  finished_at, round_started_at, created_at`

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

  /** With the last outcome of a batch the batch itself goes, in the same statement. */
  record(outcome: Outcome, batch?: Batch): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ outcome, batch, done: resolve })
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return promise
  }

  async #write(): Promise<void> {
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, most)
      await this.#persist(batch, finishBatches(batch))
      for (const { done } of batch) done()
    }
  }

  async #persist(batch: readonly Entry[], finished: readonly FinishedBatch[]): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await storeOutcomes(this.#db, batch, finished)
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

interface FinishedBatch {
  readonly organization_id: string
  readonly webhook_id: string
  readonly id: string
}

/** Those batches of which nothing is left after these outcomes. */
function finishBatches(entries: readonly Entry[]): FinishedBatch[] {
  const finished: FinishedBatch[] = []
  for (const { outcome, batch } of entries) {
    if (!batch?.left.delete(outcome.event_id) || batch.left.size > 0) continue
    const { organization_id, webhook_id } = outcome
    finished.push({ organization_id, webhook_id, id: batch.id })
  }
  return finished
}

/** Most deliveries enter the log here. One that was canceled meanwhile stays so, unless it was accepted after all. */
async function storeOutcomes(
  db: Database,
  entries: readonly Entry[],
  finished: readonly FinishedBatch[],
): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM webhook_batches b USING jsonb_to_recordset($2::jsonb) AS f(organization_id text, webhook_id text, id bigint)
       WHERE b.organization_id = f.organization_id AND b.webhook_id = f.webhook_id AND b.id = f.id)
     INSERT INTO webhook_deliveries AS d (${columns}) SELECT ${columns} FROM jsonb_to_recordset($1::jsonb)
       AS o(id text, organization_id text, webhook_id text, oauth_application_id text, event_id text, reader text, status text,
         attempts jsonb, next_attempt_at timestamptz, finished_at timestamptz, round_started_at timestamptz, created_at timestamptz)
     ON CONFLICT (organization_id, webhook_id, event_id) DO UPDATE SET attempts = d.attempts || excluded.attempts,
       round_started_at = excluded.round_started_at,
       status = CASE WHEN d.status = 'pending' OR excluded.status = 'succeeded' THEN excluded.status ELSE d.status END,
       next_attempt_at = CASE WHEN d.status = 'pending' THEN excluded.next_attempt_at END,
       finished_at = CASE WHEN d.status = 'pending' OR excluded.status = 'succeeded' THEN excluded.finished_at ELSE d.finished_at END`,
    [entries.map(({ outcome }) => outcome), finished],
  )
}
