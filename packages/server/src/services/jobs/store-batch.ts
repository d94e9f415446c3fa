import {
  type ChangesOf,
  emptySummary,
  type JobFile,
  type JobProgress,
  type JobState,
  type JobSummary,
  mostNotices,
  type RequestError,
  type Resources,
  resources,
} from '@gatehouse-access/api'
import { addSeconds, epochMilliseconds, fromMilliseconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { LeadLost } from '../../events/cursors.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import { lease } from './claim-jobs.ts'
import { appendParts, expireFile, removeFilesOf, storeRows } from './job-data.ts'
import type { BatchResult, FileKind, JobRow, JobRun, JobType } from './job-type.ts'
import { serviceOf } from './rights.ts'

const day = 24 * 3600
/** Seconds. */
const kept = { file: 7 * day, secret_file: day, undo: 7 * day, start: day }

/** What is known of a job's progress: this process alone leads it, and has it in memory. */
export interface Counts {
  readonly progress: JobProgress
  readonly summary: JobSummary
  readonly notices: readonly string[]
}

export function countBatch(held: Counts, result: BatchResult): Counts {
  const { rows = [], succeeded = 0, total } = result
  const { progress, notices } = held
  const skipped = rows.filter(({ outcome }) => outcome === 'skipped').length
  const failed = rows.filter(({ outcome }) => outcome === 'failed').length
  return {
    progress: {
      total: total ?? progress.total ?? null,
      done: progress.done + rows.length + succeeded,
      succeeded: progress.succeeded + rows.length - skipped - failed + succeeded,
      skipped: progress.skipped + skipped,
      failed: progress.failed + failed,
    },
    summary: addCounts(held.summary, countOutcomes(rows), result.summary ?? {}),
    notices: [...new Set([...notices, ...(result.notices ?? [])])].slice(0, mostNotices),
  }
}

function countOutcomes(rows: readonly JobRow[]): Partial<JobSummary> {
  const counts: Record<string, number> = {}
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

function addCounts(...all: readonly Partial<JobSummary>[]): JobSummary {
  const names = Object.keys(emptySummary) as (keyof JobSummary)[]
  const sum = (name: keyof JobSummary) => all.reduce((total, counts) => total + (counts[name] ?? 0), 0)
  return Object.fromEntries(names.map(name => [name, sum(name)])) as JobSummary
}

/** Stores what a batch has brought, in its transaction. Returns whether somebody has canceled the job. */
export async function storeBatch(
  db: Database,
  { job, key, context }: JobRun,
  result: BatchResult,
  counts: Counts,
): Promise<{ readonly is_canceling: boolean }> {
  const of = { organization_id: job.organization_id, job_id: job.id, key }
  await storeRows(db, of, result.rows ?? [])
  await appendParts(db, of, result.parts ?? [])
  const [held] = await db.query<{ is_canceling: boolean }>(
    `UPDATE jobs SET cursor = $4, progress = $5, summary = $6, notices = $7, estimated_end_at = $8, failure_count = 0, owned_until = ${lease}
     WHERE organization_id = $1 AND id = $2 AND owner = $3 AND state = 'running' RETURNING is_canceling`,
    [
      job.organization_id,
      job.id,
      context.life.owner,
      result.cursor,
      counts.progress,
      counts.summary,
      counts.notices,
      estimateEnd(job.started_at, counts.progress, context.clock.now()),
    ],
  )
  if (!held) throw new LeadLost(`another process leads ${job.id}, or it has ended`)
  return held
}

function estimateEnd(started_at: string | null, { total, done }: JobProgress, now: string): string | null {
  if (started_at === null || total == null || done === 0 || done >= total) return null
  const begun = epochMilliseconds(started_at)
  const spent = epochMilliseconds(now) - begun
  return fromMilliseconds(begun + Math.round((spent * total) / done))
}

/** What a job ends as, once its last batch is done. */
export function lastState({ job }: JobRun, { progress }: Counts): JobState {
  if (job.is_dry_run) return 'awaiting'
  return progress.failed > 0 ? 'partly_succeeded' : 'succeeded'
}

/** Ends a job, with its event. */
export async function endJob(
  db: Database,
  run: Pick<JobRun, 'job' | 'context'>,
  type: JobType | undefined,
  state: JobState,
  {
    files = [],
    error,
  }: { readonly files?: readonly FileKind[] | undefined; readonly error?: RequestError | undefined } = {},
): Promise<void> {
  const { job, context } = run
  const { organization_id, id } = job
  const now = context.clock.now()
  const found = await findObject(db, resources.job, { organization_id }, id, {
    lock: true,
    hidden: ['owner'],
  })
  if (found?.state !== 'running' || found.owner !== context.life.owner)
    throw new LeadLost(`another process leads ${id}, or it has ended`)
  const { owner: _, ...current } = found
  if (type?.own_files) await removeFilesOf(db, { organization_id, job_id: id }, type.own_files)
  const changes: ChangesOf<Resources['job']> = {
    state,
    ended_at: now,
    estimated_end_at: null,
    owner: null,
    owned_until: null,
    files: (await listFiles(db, run, files, now)).filter(({ bytes }) => bytes > 0 || isWhole(state)),
    ...(error && { error: error.toBody() }),
    ...(state === 'awaiting' && { can_start_until: addSeconds(now, kept.start) }),
    ...(canBeUndone(run, type, current.progress) && { can_undo_until: addSeconds(now, kept.undo) }),
  }
  await updateObject({ db, caller: serviceOf(job), now }, resources.job, current, changes)
}

/** Whether everything that it should have written is there. */
function isWhole(state: JobState): boolean {
  return state !== 'failed' && state !== 'canceled'
}

function canBeUndone(
  { job }: Pick<JobRun, 'job'>,
  type: JobType | undefined,
  { succeeded }: JobProgress,
): boolean {
  return type?.undo !== undefined && !job.is_dry_run && job.undo_of_job_id === null && succeeded > 0
}

async function listFiles(
  db: Database,
  { job }: Pick<JobRun, 'job'>,
  files: readonly FileKind[],
  now: string,
): Promise<JobFile[]> {
  const listed: JobFile[] = []
  for (const { name, media_type, is_secret = false } of files) {
    const expires_at = addSeconds(now, is_secret ? kept.secret_file : kept.file)
    const bytes = await expireFile(
      db,
      { organization_id: job.organization_id, job_id: job.id },
      name,
      expires_at,
    )
    listed.push({ name, media_type, bytes, is_secret, fetched_at: null, expires_at })
  }
  return listed
}
