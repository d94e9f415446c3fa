import { type JobTypeName, RequestError, resources } from '@gatehouse-access/api'
import { addSeconds, epochMilliseconds } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import type { Caller } from '../../store/caller.ts'
import { newId } from '../../store/ids.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { newOwnKey } from '../../vault/vault.ts'
import type { Work } from '../objects/context.ts'
import { insertNew } from '../objects/new-object.ts'
import type { Job } from './job-type.ts'
import { makerOf } from './rights.ts'

const mostQueued = 20
/** Jobs that an application makes in a minute, and a person: each change in the console is two of them, and its undo a third. */
const mostAMinute = { application: 5, user: 20 }

/** The id and the key of a job to come: its input is stored before it exists. */
export interface JobSeed {
  readonly id: string
  /** See `openOwnKey`. */
  readonly key: string
}

export function seedJob(now: string): JobSeed {
  return { id: newId('job', now), key: newOwnKey() }
}

export interface NewJob {
  readonly type: JobTypeName
  /** What to do, for the type. */
  readonly settings: Row
  readonly is_dry_run?: boolean
  readonly parent_job_id?: string
  readonly undo_of_job_id?: string
  /** The dry run whose input it reads. Defaults to its own. */
  readonly input_job_id?: string | null
  /** Defaults to a new one. */
  readonly seed?: JobSeed
}

/** Queues a job for whoever calls. Needs a transaction. */
export async function createJob(work: Work, given: NewJob): Promise<Job> {
  const { context, caller, now } = work
  const { seed = seedJob(now), input_job_id, ...values } = given
  await checkJobLimits(work)
  return insertNew(work, resources.job, {
    ...values,
    id: seed.id,
    input_job_id: input_job_id ?? seed.id,
    created_by: nameMaker(caller),
    maker: makerOf(caller),
    key_ciphertext: context.vault.encrypt(seed.key, sealedAs.job(seed.id)),
  })
}

/** A name of whoever calls, as jobs show it. */
function nameMaker({ user_id, oauth_application_id }: Caller) {
  return { user_id: user_id ?? null, oauth_application_id: oauth_application_id ?? null }
}

/**
 * Throws if the caller has made too many jobs within a minute, or the organization has too many that wait. Holds the
 * lock under which jobs of the organization are made and begun. An upload asks before it begins, too.
 */
export async function checkJobLimits({ db, caller, context, now }: Work): Promise<void> {
  const { organization_id } = caller
  await holdLock(db, 'jobs_of_organization', organization_id)
  const most = caller.oauth_application_id === undefined ? mostAMinute.user : mostAMinute.application
  const [counted] = await db.query<{ queued: number; earliest: string | null }>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE organization_id = $1 AND NOT is_deleted AND state = 'queued') AS queued,
       (SELECT created_at FROM jobs WHERE organization_id = $1 AND NOT is_deleted AND created_at > $2 AND created_by = $3
        ORDER BY created_at DESC OFFSET $4::integer LIMIT 1) AS earliest`,
    [organization_id, addSeconds(now, -60), nameMaker(caller), most - 1],
  )
  if ((counted?.queued ?? 0) >= mostQueued)
    throw tooMany(
      `an organization can have ${mostQueued} queued jobs; wait for one of them, or cancel it`,
      10,
    )
  if (context.config.rate_limit > 0 && counted?.earliest != null) {
    const passed = epochMilliseconds(now) - epochMilliseconds(counted.earliest)
    const seconds = Math.max(1, Math.ceil(60 - passed / 1000))
    throw tooMany(`${most} jobs a minute can be made; try again in ${seconds} s`, seconds)
  }
}

/** Chunks that an organization can keep: a gibibyte of files that wait to be imported, 20 of files that jobs have written. */
const mostKept = { job_inputs: 16_384, job_files: 81_920 }

/** Throws if what the organization keeps takes too much room. Files of dry runs wait for a day, those of jobs for a week. */
export async function refuseWhenKept({ db, caller }: Work, table: keyof typeof mostKept): Promise<void> {
  const [counted] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${table} WHERE organization_id = $1 LIMIT $2) kept`,
    [caller.organization_id, mostKept[table]],
  )
  if ((counted?.count ?? 0) < mostKept[table]) return
  throw tooMany(
    table === 'job_inputs'
      ? 'the files of imports that wait take a gibibyte; start or cancel some of the dry runs'
      : 'the files of jobs take 20 gibibytes; wait until some of them expire',
    600,
  )
}

function tooMany(message: string, seconds: number): RequestError {
  return new RequestError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
