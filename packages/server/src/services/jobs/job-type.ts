import type { JobSummary, JobTypeName, RequestError, Resources, StoredOf } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import type { OwnKey } from '../../vault/vault.ts'
import type { Context, Work } from '../objects/context.ts'

export type Job = StoredOf<Resources['job']>

/** A job with what it stores for itself. */
export type WholeJob = StoredOf<
  Resources['job'],
  'settings' | 'cursor' | 'maker' | 'key_ciphertext' | 'input_job_id' | 'is_canceling' | 'failure_count'
>

/**
 * What a type of job does. Jobs of all types are made (`createJob`), led, canceled, started, undone and removed
 * alike; a type only says what happens in a batch.
 */
export interface JobType {
  readonly name: JobTypeName
  /** How many of the type one process leads at once, if they hold something scarce. An organization has one of them at a time. */
  readonly most_at_once?: number
  /** All files that its jobs can have written, which one that cannot be begun again still lists. */
  readonly files?: readonly FileKind[]
  /** Names of files that its jobs write for themselves: never listed, and removed with the end. */
  readonly own_files?: readonly string[]
  /** Called whenever a process begins to lead a job: first, and again after each crash or restart. */
  begin(run: JobRun): Promise<JobWork>
  /** The same for a job that sets back another, `run.undone`. Without it, jobs of the type cannot be undone. */
  undo?(run: JobRun & { readonly undone: SealedJob }): Promise<JobWork>
  /** Whether what a dry run has shown is no longer what would happen. Then its start needs `force`. */
  hasMoved?(work: Work, dry_run: SealedJob): Promise<boolean>
  /** Throws if a dry run may not be started now, not even with `force`. */
  beforeStart?(work: Work, dry_run: SealedJob): Promise<void>
  /** Records who fetches a file, before one without secrets is sent. */
  beforeFetch?(work: Work, job: SealedJob, file: string): Promise<void>
  /** Records who learns of which secrets, before a file with secrets is sent. */
  beforeReveal?(work: Work, job: SealedJob, file: string): Promise<void>
}

export type JobTypes = { readonly [Name in JobTypeName]?: JobType }

/** A job and the key of its rows, input and files. */
export interface SealedJob {
  readonly job: WholeJob
  readonly key: OwnKey
}

/** A job that this process leads. */
export interface JobRun extends SealedJob {
  readonly context: Context
  /** The job whose input it reads: itself, or the dry run that it was started from. */
  readonly input: SealedJob
  readonly undone: SealedJob | undefined
  /** Aborts when the process stops or no longer leads. */
  readonly signal: AbortSignal
}

/** A job in progress, in the memory of the process that leads it. */
export interface JobWork {
  /** The files that the parts belong to, read when the job ends. If it was canceled or failed, those with parts are listed. */
  readonly files?: readonly FileKind[]
  /** True if what an earlier leader did counts for nothing, since it cannot be continued. */
  readonly begins_anew?: boolean
  /** True if it is one long transaction, which holds back whoever reads the feed: it ends as soon as it can. */
  readonly is_whole?: boolean
  /** Reads and computes what the next batch needs, outside of any transaction. `cursor` is what the last stored batch returned. */
  prepare?(cursor: Row | null): Promise<void>
  /**
   * Does the next batch. Everything happens in the transaction of `batch.work`, which also stores the result: after
   * a crash, the next leader goes on from the cursor of the last batch that committed. It ends with `batch.isOver()`
   * or after `batch.most` rows, since nobody else may wait long. It may be called again for the same batch, after
   * what it did was rolled back. A `RequestError` ends the job as failed, and nothing of the batch stays.
   */
  run(batch: Batch): Promise<BatchResult>
  [Symbol.asyncDispose]?(): Promise<void>
}

export interface Batch {
  /** Its caller is whoever made the job, with the rights they have now. Events that it writes name the job. */
  readonly work: Work
  /** What the last batch returned. Null at the beginning. */
  readonly cursor: Row | null
  readonly most: number
  isOver(): boolean
  /** A statement failed with this in the next row, which was tried alone: record it as failed, and go on behind it. */
  readonly refused: Error | undefined
}

export type RowOutcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'restored' | 'skipped' | 'failed'

/** What became of one row. `detail` is encrypted: what was there before, what is wrong. */
export interface JobRow {
  /** Increases from row to row, such as the line in a file. */
  readonly number: number
  readonly outcome: RowOutcome
  readonly object_id?: string | undefined
  /** The ETag that the job has left. Of a dry run, digests of what the row goes by beside its object. */
  readonly etag?: string | undefined
  readonly detail?: unknown
}

export interface FilePart {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface FileKind {
  readonly name: string
  readonly media_type: string
  readonly is_secret?: boolean
}

export interface BatchResult {
  /** Where the next batch begins. Holds nothing personal. */
  readonly cursor: Row
  readonly is_done: boolean
  /** How many there are to do, once that is known. */
  readonly total?: number
  /** What became of its rows: counted in `progress` and in `summary`, and stored. */
  readonly rows?: readonly JobRow[]
  /** How many were done without a stored row. */
  readonly succeeded?: number
  /** Counts beyond those of `rows`. */
  readonly summary?: Partial<JobSummary>
  readonly notices?: readonly string[]
  /** Appended to files, in this order. */
  readonly parts?: readonly FilePart[]
  /** Ends the job as failed, although the batch is stored. */
  readonly error?: RequestError
  /** Only rows, parts and counts are stored; everything else that the batch did is rolled back. */
  readonly rolls_back?: boolean
}
