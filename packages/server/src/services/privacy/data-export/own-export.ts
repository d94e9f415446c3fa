import { type GuestDataExport, RequestError, resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../../database/db.ts'
import { holdLock } from '../../../database/locks.ts'
import { logObject } from '../../../store/write.ts'
import { offersExport } from '../../guests/home.ts'
import type { GuestSession } from '../../guests/sessions.ts'
import { createJob } from '../../jobs/create-job.ts'
import { readFileOf } from '../../jobs/job-data.ts'
import type { Job } from '../../jobs/job-type.ts'
import { findSealed } from '../../jobs/sealed-jobs.ts'
import type { Context, Work } from '../../objects/context.ts'
import { getObject } from '../../objects/objects.ts'

/** Seconds between two requests of a member. */
const pace = 86_400

type Asked = Pick<Job, 'id' | 'state' | 'created_at' | 'files'>

/** `GET /member/v1/data_export` */
export async function showOwnExport(context: Context, guest: GuestSession): Promise<GuestDataExport> {
  await requireOffer(context, guest)
  return describe(await findLast(context.db, guest), context.clock.now())
}

/** `POST /member/v1/data_export`: a job as any other, which the member made. */
export async function requestOwnExport(work: Work, guest: GuestSession): Promise<GuestDataExport> {
  const { context, now } = work
  await requireOffer(context, guest)
  return work.db.transaction(async db => {
    await holdLock(db, 'jobs_of_organization', guest.organization_id)
    const last = await findLast(db, guest)
    const next = nextOf(last, now)
    if (next !== null) throw tooSoon(next, now)
    const { member_id } = guest
    const made = await createJob({ ...work, db }, { type: 'member_data', settings: { member_id } })
    return describe(made, now)
  })
}

/** `GET /member/v1/data_export/files/{name}` */
export async function openOwnFile(work: Work, guest: GuestSession, name: string) {
  const { db, context, now } = work
  await requireOffer(context, guest)
  const { organization_id, member_id } = guest
  const last = await findLast(db, guest)
  const file = last?.files.find(held => held.name === name && held.expires_at > now)
  const sealed = last && file && (await findSealed(context, organization_id, last.id))
  if (!sealed) throw new RequestError('not_found', 'there is no such file, or it has expired')
  const target = { resource: resources.member, reach: { organization_id } }
  await logObject(work, resources.member, 'reveal', await getObject(work, target, member_id))
  const of = { organization_id, job_id: last.id, key: sealed.key }
  return { file, chunks: readFileOf(db, of, name) }
}

async function requireOffer(context: Context, guest: GuestSession): Promise<void> {
  if (!(await offersExport(context, guest)))
    throw new RequestError('permission_denied', 'the organization does not offer this; ask it for the data', {
      args: { reason: 'member_export_off' },
    })
}

async function findLast(
  db: Database,
  { organization_id, member_id }: GuestSession,
): Promise<Asked | undefined> {
  const [row] = await db.query<Asked & object>(
    `SELECT id, state, created_at, files FROM jobs WHERE organization_id = $1 AND (maker->'subject'->>'member_id') = $2
       AND type = 'member_data' ORDER BY created_at DESC LIMIT 1`,
    [organization_id, member_id],
  )
  return row
}

/** One that failed can be repeated at once. */
function nextOf(last: Asked | undefined, now: string): string | null {
  if (!last || stateOf(last) === 'failed') return null
  const next = addSeconds(last.created_at, pace)
  return next > now ? next : null
}

function stateOf({ state }: Asked): 'making' | 'ready' | 'failed' {
  if (state === 'queued' || state === 'running') return 'making'
  return state === 'succeeded' ? 'ready' : 'failed'
}

function describe(last: Asked | undefined, now: string): GuestDataExport {
  const nothing = { state: null, requested_at: null, expires_at: null, files: [] }
  const next_at = nextOf(last, now)
  if (!last) return { ...nothing, next_at }
  const state = stateOf(last)
  const files = last.files.filter(({ expires_at }) => expires_at > now)
  if (state === 'ready' && files.length === 0) return { ...nothing, next_at }
  return {
    state,
    requested_at: last.created_at,
    expires_at: files[0]?.expires_at ?? null,
    files: files.map(({ name, media_type, bytes }) => ({ name, media_type, bytes })),
    next_at,
  }
}

function tooSoon(next: string, now: string): RequestError {
  const seconds = Math.ceil((Date.parse(next) - Date.parse(now)) / 1000)
  return new RequestError('rate_limited', `the data can be requested once a day; again from ${next} on`, {
    headers: { 'retry-after': String(seconds) },
    args: { next_at: next },
  })
}
