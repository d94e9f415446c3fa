import { emptySummary, noProgress, RequestError } from '@gatehouse-access/api'
import { isUnavailable } from '../../database/away.ts'
import type { Database } from '../../database/db.ts'
import { aside, gently } from '../../database/gently.ts'
import { LeadLost } from '../../events/cursors.ts'
import { every } from '../../flow/timers.ts'
import type { Context } from '../objects/context.ts'
import { type Claimed, lease } from './claim-jobs.ts'
import type { Batch, BatchResult, JobRun, JobType, JobWork, SealedJob } from './job-type.ts'
import { askRights } from './rights.ts'
import { findSealed } from './sealed-jobs.ts'
import { type Counts, countBatch, endJob, lastState, storeBatch } from './store-batch.ts'

const renewal = 2000
/** Rows and milliseconds of a batch. */
const mostRows = 200
const longestBatch = 100
/** Rows that are done one by one after a statement has failed, so that the one that fails is found. */
const carefulRows = mostRows
/** How often leaders may vanish without a single batch in between: it may be the job that kills them. */
const mostFailures = 20

/** Runs one batch when it is the organization's turn. */
export type InTurn = <T>(organization_id: string, work: () => Promise<T>) => Promise<T>

/**
 * Leads a job until it has ended, the signal aborts or another process leads.
 *
 *   claimed ── begin ──▶ leading ── prepare; a transaction: rights, batch, rows, cursor ──▶ leading
 *                           │
 *                           └── the last batch, a cancel, gone rights, an error ──▶ ended, with its event
 *
 * Invariant: what a batch does commits together with its cursor, and only while the row names this process as the
 * owner. The lease only saves duplicate work: a leader that lost it without noticing can store nothing.
 */
export async function leadJob(
  context: Context,
  claimed: Claimed,
  type: JobType | undefined,
  inTurn: InTurn,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController()
  const cancel = every(context.timers, renewal, () => void renewOrLose(context, claimed, lost))
  try {
    const run = await openRun(context, claimed, AbortSignal.any([stop, lost.signal]))
    if (run) await new Lead(run, type, inTurn).run()
  } catch (error) {
    if (!(error instanceof LeadLost) && !isUnavailable(error))
      context.log.error({ err: error, job_id: claimed.id }, 'a job could not be led')
  } finally {
    cancel()
    await release(context, claimed).catch(() => undefined)
  }
}

async function openRun(
  context: Context,
  { organization_id, id }: Claimed,
  signal: AbortSignal,
): Promise<JobRun | undefined> {
  const own = await findSealed(context, organization_id, id)
  if (!own) return undefined
  const other = (of: string | null): Promise<SealedJob | undefined> =>
    of === null || of === id
      ? Promise.resolve(of === null ? undefined : own)
      : findSealed(context, organization_id, of)
  const input = (await other(own.job.input_job_id)) ?? own
  const undone = await other(own.job.undo_of_job_id)
  return { ...own, context, input, undone, signal }
}

/** If the database is unreachable, the lease counts as held: no other process can take it either. */
async function renewOrLose(context: Context, claimed: Claimed, lost: AbortController): Promise<void> {
  const rows = await context.db
    .query(
      `UPDATE jobs SET owned_until = ${lease} WHERE organization_id = $1 AND id = $2 AND owner = $3 RETURNING 1`,
      [claimed.organization_id, claimed.id, context.life.owner],
    )
    .catch(() => undefined)
  if (rows?.length === 0) lost.abort()
}

/** Leaves the job to the next process that looks. One that has ended has no owner. */
async function release({ db, life }: Context, { organization_id, id }: Claimed): Promise<void> {
  await db.query(
    'UPDATE jobs SET owner = NULL, owned_until = NULL WHERE organization_id = $1 AND id = $2 AND owner = $3',
    [organization_id, id, life.owner],
  )
}

/** Carries what a batch brought out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly result: BatchResult

  constructor(result: BatchResult) {
    super('a batch that only tries is rolled back')
    this.result = result
  }
}

class Lead {
  readonly #run: JobRun
  readonly #type: JobType | undefined
  readonly #inTurn: InTurn
  #counts: Counts
  #cursor: Batch['cursor']
  /** How many rows are still done one by one. */
  #careful = 0
  #refused: Error | undefined

  constructor(run: JobRun, type: JobType | undefined, inTurn: InTurn) {
    const { job } = run
    this.#run = run
    this.#inTurn = inTurn
    this.#type = type
    this.#counts = { progress: job.progress, summary: job.summary, notices: job.notices }
    this.#cursor = job.cursor
  }

  async run(): Promise<void> {
    const { job, signal } = this.#run
    if (job.failure_count > mostFailures)
      return this.#fail(new RequestError('internal', 'the service stopped too often while the job ran'))
    let work: JobWork | undefined
    try {
      work = await this.#begin()
      if (work.begins_anew) this.#forget()
      while (
        !signal.aborted &&
        !(await this.#inTurn(job.organization_id, () => this.#step(work as JobWork)))
      );
    } catch (error) {
      if (error instanceof LeadLost || isUnavailable(error)) throw error
      await this.#fail(this.#explain(error), work)
    } finally {
      await work?.[Symbol.asyncDispose]?.()
    }
  }

  #forget(): void {
    this.#counts = { progress: noProgress, summary: emptySummary, notices: [] }
    this.#cursor = null
  }

  #begin(): Promise<JobWork> {
    const { job, undone } = this.#run
    if (!this.#type) throw new Error(`no type of job is called ${job.type}`)
    if (job.undo_of_job_id === null) return this.#type.begin(this.#run)
    if (!undone || !this.#type.undo) throw new RequestError('gone', 'what it would undo was removed')
    return this.#type.undo({ ...this.#run, undone })
  }

  /** Does one batch. Returns whether the job has ended. */
  async #step(work: JobWork): Promise<boolean> {
    await work.prepare?.(this.#cursor)
    try {
      return await this.#runBatch(work)
    } catch (error) {
      if (error instanceof LeadLost || error instanceof RequestError || isUnavailable(error)) throw error
      this.#beCareful(error)
      return false
    }
  }

  /** After a failure, rows are tried one by one, and the one that fails even so is refused. */
  #beCareful(error: unknown): void {
    if (this.#refused) throw error
    this.#run.context.log.warn({ err: error, job_id: this.#run.job.id }, 'a batch of a job failed')
    if (this.#careful > 0) this.#refused = error instanceof Error ? error : new Error(String(error))
    else this.#careful = carefulRows
  }

  async #runBatch(work: JobWork): Promise<boolean> {
    const pool = this.#run.context.db
    const db = work.is_whole ? gently(pool) : aside(pool)
    try {
      return await db.transaction(async inner => {
        const result = await this.#tryBatch(inner, work)
        if (this.#run.job.is_dry_run || result.rolls_back) throw new RolledBack(result)
        return this.#store(inner, work, result)
      })
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
      return db.transaction(inner => this.#store(inner, work, error.result))
    }
  }

  async #tryBatch(db: Database, work: JobWork): Promise<BatchResult> {
    const { context, job } = this.#run
    const caller = await askRights(db, job)
    if (!caller) throw rightsGone()
    const begun = context.timers.elapsed()
    return work.run({
      work: { context, db, caller, now: context.clock.now() },
      cursor: this.#cursor,
      most: this.#careful > 0 ? 1 : mostRows,
      isOver: () => context.timers.elapsed() - begun > longestBatch,
      refused: this.#refused,
    })
  }

  async #store(db: Database, work: JobWork, result: BatchResult): Promise<boolean> {
    const counts = countBatch(this.#counts, result)
    const { is_canceling } = await storeBatch(db, this.#run, result, counts)
    const state = result.error
      ? 'failed'
      : result.is_done
        ? lastState(this.#run, counts)
        : is_canceling
          ? 'canceled'
          : undefined
    if (state) await endJob(db, this.#run, this.#type, state, { files: work.files, error: result.error })
    this.#counts = counts
    this.#cursor = result.cursor
    this.#careful = Math.max(0, this.#careful - 1)
    this.#refused = undefined
    return state !== undefined
  }

  async #fail(error: RequestError, work?: JobWork): Promise<void> {
    const { db } = this.#run.context
    await db.transaction(inner =>
      endJob(inner, this.#run, this.#type, 'failed', { files: (work ?? this.#type)?.files, error }),
    )
  }

  /** What is no error of the request is logged, and not shown. */
  #explain(error: unknown): RequestError {
    if (error instanceof RequestError) return error
    const { log } = this.#run.context
    log.error({ err: error, job_id: this.#run.job.id }, 'a job failed')
    return new RequestError('internal', 'something failed in the service; what is done stays')
  }
}

function rightsGone(): RequestError {
  return new RequestError(
    'permission_denied',
    'whoever made the job may no longer change the organization; what is done stays',
    { args: { reason: 'rights_gone' } },
  )
}
