import { type JobFile, RequestError, type resources } from '@gatehouse-access/api'
import { jobTypes } from './job-types.ts'
import { isThere, readFileOf } from './jobs/job-data.ts'
import type { SealedJob } from './jobs/job-type.ts'
import { findSealed } from './jobs/sealed-jobs.ts'
import type { Work } from './objects/context.ts'
import { getObject, type Target } from './objects/objects.ts'

export interface OpenedFile {
  readonly file: JobFile
  readonly chunks: AsyncGenerator<Buffer, void>
}

type JobTarget = Target<typeof resources.job>

/** Opens a file of a job. One with secrets is opened once, unless `again`, by whoever made the job. */
export async function openJobFile(
  work: Work,
  target: JobTarget,
  id: string,
  name: string,
  again: boolean,
): Promise<OpenedFile> {
  await getObject(work, target, id)
  const { db, context, caller, now } = work
  const sealed = await findSealed({ db, vault: context.vault }, caller.organization_id, id)
  const file = sealed?.job.files.find(held => held.name === name)
  if (!sealed || !file) throw new RequestError('not_found', 'the job has no file of this name')
  if (file.expires_at <= now) throw new RequestError('gone', `the file expired on ${file.expires_at}`)
  const of = { organization_id: caller.organization_id, job_id: id, key: sealed.key }
  if (file.bytes > 0 && !(await isThere(db, of, name)))
    throw new RequestError('gone', 'the file was removed, because somebody was erased whom it may name')
  if (file.is_secret) await reveal(work, sealed, name, again)
  else await jobTypes[sealed.job.type]?.beforeFetch?.(work, sealed, name)
  return { file, chunks: readFileOf(db, of, name) }
}

/** The fetch is marked before anything is recorded or sent: of two at once, one is refused. */
async function reveal(work: Work, sealed: SealedJob, name: string, again: boolean): Promise<void> {
  const { user_id, oauth_application_id } = sealed.job.created_by
  const { caller } = work
  if ((caller.user_id ?? null) !== user_id || (caller.oauth_application_id ?? null) !== oauth_application_id)
    throw refused('only whoever made the job can fetch a file with secrets', 'other_maker')
  if (!caller.scopes.includes('full_read_write'))
    throw refused('this requires a token with the scope full_read_write', 'scope_too_small')
  await markFetched(work, sealed, name, again)
  await jobTypes[sealed.job.type]?.beforeReveal?.(work, sealed, name)
}

function markFetched({ db, now }: Work, { job }: SealedJob, name: string, again: boolean): Promise<void> {
  return db.transaction(async inner => {
    const [held] = await inner.query<{ files: JobFile[] }>(
      'SELECT files FROM jobs WHERE organization_id = $1 AND id = $2 FOR UPDATE',
      [job.organization_id, job.id],
    )
    const files = held?.files ?? []
    if (!again && files.some(file => file.name === name && file.fetched_at != null))
      throw new RequestError('gone', 'the file was fetched already; add ?again=true to fetch it again')
    const marked = files.map(file =>
      file.name === name ? { ...file, fetched_at: file.fetched_at ?? now } : file,
    )
    await inner.query('UPDATE jobs SET files = $3 WHERE organization_id = $1 AND id = $2', [
      job.organization_id,
      job.id,
      marked,
    ])
  })
}

function refused(message: string, reason: string): RequestError {
  return new RequestError('permission_denied', message, { args: { reason } })
}
