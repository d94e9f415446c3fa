import { type JobState, RequestError, resources } from '@gatehouse-access/api'
import { present } from '../flow/present.ts'
import { jobTypes } from './job-types.ts'
import { createJob } from './jobs/create-job.ts'
import type { Job, SealedJob, WholeJob } from './jobs/job-type.ts'
import { findWhole, keyOf } from './jobs/sealed-jobs.ts'
import type { InputOf } from './objects/action.ts'
import type { Work } from './objects/context.ts'
import { applyEdit, getObject, type Target } from './objects/objects.ts'

type JobTarget = Target<typeof resources.job>

/** `POST /jobs/{id}/cancel`: at once if it waits. If it runs, its leader stops after the batch in progress. */
export function cancelJob({ work, target, id, readBody }: InputOf<'job', 'cancel'>): Promise<Job> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const job = await getObject(inner, target, id, true)
    readBody()
    if (job.state === 'queued' || job.state === 'awaiting')
      return applyEdit(inner, resources.job, job, {
        state: 'canceled',
        ended_at: job.ended_at ?? work.now,
        can_start_until: null,
      })
    if (job.state === 'running')
      await db.query('UPDATE jobs SET is_canceling = true WHERE organization_id = $1 AND id = $2', [
        job.organization_id,
        id,
      ])
    return job
  })
}

/** `POST /jobs/{id}/start`: the dry run has succeeded with that, so that it is started once. */
export function startJob({ work, target, id, readBody }: InputOf<'job', 'start'>): Promise<Job> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const { job, key } = await holdSealed(inner, target, id)
    const { force = false } = readBody()
    if (job.state !== 'awaiting') throw wrongState('only a dry run that awaits its start can be started', job)
    if (!key || job.can_start_until === null || job.can_start_until <= work.now)
      throw wrongState(`the dry run could be started until ${job.can_start_until}; make another`, job)
    const type = jobTypes[job.type]
    if (job.undo_of_job_id !== null) await refuseSecondUndo(inner, job.undo_of_job_id)
    await type?.beforeStart?.(inner, { job, key })
    if (!force && (await type?.hasMoved?.(inner, { job, key }))) throw hasMoved()
    const started = await createJob(inner, {
      type: job.type,
      settings: job.settings,
      parent_job_id: job.id,
      input_job_id: job.input_job_id,
      ...(job.undo_of_job_id && { undo_of_job_id: job.undo_of_job_id }),
    })
    await applyEdit(inner, resources.job, await getObject(inner, target, id, true), {
      state: 'succeeded',
      can_start_until: null,
    })
    return started
  })
}

/** `POST /jobs/{id}/undo` */
export function undoJob({ work, target, id, query, readBody }: InputOf<'job', 'undo'>): Promise<Job> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const { job, key } = await holdSealed(inner, target, id)
    readBody()
    if (!key || job.can_undo_until === null)
      throw wrongState('only an import or a bulk edit that has ended can be undone', job)
    if (job.can_undo_until <= work.now)
      throw wrongState(`it could be undone until ${job.can_undo_until}`, job)
    if (query.dry_run !== true) await refuseSecondUndo(inner, job.id)
    return createJob(inner, {
      type: job.type,
      settings: job.settings,
      is_dry_run: query.dry_run === true,
      undo_of_job_id: job.id,
    })
  })
}

/** Finds the job for the caller, and then reads all of it. */
async function holdSealed(
  work: Work,
  target: JobTarget,
  id: string,
): Promise<{ job: WholeJob; key: SealedJob['key'] | undefined }> {
  await getObject(work, target, id, true)
  const job = present(await findWhole(work.db, work.caller.organization_id, id), 'a job that is locked')
  return { job, key: keyOf(work.context.vault, job) }
}

/** Holds the job that is to be undone, so that of two at once one is refused. */
async function refuseSecondUndo({ db, caller }: Work, id: string): Promise<void> {
  const { organization_id } = caller
  await findWhole(db, organization_id, id, true)
  const [other] = await db.query<{ id: string; state: JobState }>(
    `SELECT id, state FROM jobs WHERE organization_id = $1 AND NOT is_deleted AND undo_of_job_id = $2 AND NOT is_dry_run
       AND state NOT IN ('failed', 'canceled') LIMIT 1`,
    [organization_id, id],
  )
  if (other) throw wrongState(`${other.id} undoes it already`, other)
}

function wrongState(rule: string, { state }: { readonly state: JobState }): RequestError {
  return new RequestError('job_state', `${rule}; this job is ${state}`, { args: { state } })
}

function hasMoved(): RequestError {
  return new RequestError(
    'precondition_failed',
    'what the dry run has shown has changed since; make another dry run, or start with "force": true',
  )
}
