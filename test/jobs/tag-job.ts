import { type JobTypeName, RequestError, resources } from '@gatehouse-access/api'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { createJob, type NewJob } from '../../packages/server/src/services/jobs/create-job.ts'
import { readRowsBefore } from '../../packages/server/src/services/jobs/job-data.ts'
import type {
  Batch,
  BatchResult,
  Job,
  JobRow,
  JobRun,
  JobType,
} from '../../packages/server/src/services/jobs/job-type.ts'
import { createFrom, deleteObject } from '../../packages/server/src/services/objects/objects.ts'
import type { Caller } from '../../packages/server/src/store/caller.ts'
import { digest } from '../../packages/server/src/vault/vault.ts'

/** What a test makes of a batch, before it ends. */
export type Hook = (batch: Batch, next: number) => Promise<void>

export interface TagSettings {
  /** How many tags it creates. */
  readonly count: number
  readonly refuses?: readonly number[]
  readonly breaks?: readonly number[]
  readonly per_batch?: number
}

const files = [
  { name: 'results.csv', media_type: 'text/csv', is_secret: true },
  { name: 'errors.csv', media_type: 'text/csv' },
]

/** A type of job that creates tags, for tests of what all types have in common. */
export function tagJob(
  hook: Hook = async () => {},
  /** Before each batch, outside of its transaction, which would hold back the feed. */
  prepare: (run: JobRun) => Promise<void> = async () => {},
): JobType {
  return {
    name: 'booking_sync',
    files,
    begin: async run => ({
      files,
      prepare: () => prepare(run),
      run: batch => createTags(run, batch, hook),
    }),
    undo: async run => ({ run: batch => removeTags(run, run.undone, batch) }),
  }
}

async function createTags({ job }: JobRun, batch: Batch, hook: Hook): Promise<BatchResult> {
  const { count, refuses = [], breaks = [], per_batch = 3 } = job.settings as unknown as TagSettings
  let next = Number(batch.cursor?.next ?? 1)
  const rows: JobRow[] = []
  const first = next
  for (; next <= count && next - first < Math.min(batch.most, per_batch); next++) {
    if (batch.refused || refuses.includes(next)) {
      rows.push({ number: next, outcome: 'failed', detail: { problem: 'refused' } })
      continue
    }
    if (breaks.includes(next)) await batch.work.db.query('SELECT 1 / 0')
    const { id } = await createFrom(batch.work, resources.tag, { name: `tag ${next}` })
    rows.push({ number: next, outcome: 'created', object_id: id, detail: { before: null } })
  }
  await hook(batch, next)
  const lines = rows.map(({ number }) => `canary ${number}\r\n`).join('')
  return {
    cursor: { next },
    is_done: next > count,
    total: count,
    rows,
    parts: [
      { name: 'results.csv', bytes: Buffer.from(lines) },
      { name: 'errors.csv', bytes: Buffer.from('x') },
    ],
  }
}

async function removeTags({ context }: JobRun, undone: JobRun['input'], batch: Batch): Promise<BatchResult> {
  const { organization_id, id: job_id } = undone.job
  const before = Number(batch.cursor?.before ?? 2_000_000)
  const held = await readRowsBefore(context.db, { organization_id, job_id, key: undone.key }, before, 5)
  const rows: JobRow[] = []
  for (const { number, object_id, outcome } of held) {
    if (outcome === 'created' && object_id)
      await deleteObject(batch.work, { resource: resources.tag, reach: { organization_id } }, object_id)
    rows.push({ number, outcome: 'deleted' })
  }
  return { cursor: { before: held.at(-1)?.number ?? 0 }, is_done: held.length < 5, rows }
}

/** Whoever holds the token, as a caller. */
export function callerOf(tenant: Tenant, token = tenant.token): Caller {
  const { organization_id, oauth_application_id } = tenant
  return {
    organization_id,
    oauth_application_id,
    user_id: undefined,
    scopes: ['full_read_write'],
    token_hash: digest(token),
    features: { whitelabel: false },
    subject: () => ({ oauth_application_id, ip_address: '203.0.113.7' }),
  }
}

export function makeJob(
  { server }: World,
  tenant: Tenant,
  settings: TagSettings,
  more: Partial<NewJob> & { readonly token?: string } = {},
): Promise<Job> {
  const { context } = server
  const { token, ...rest } = more
  return context.db.transaction(db =>
    createJob(
      { context, db, caller: callerOf(tenant, token), now: context.clock.now() },
      { type: 'booking_sync' satisfies JobTypeName, settings: { ...settings }, ...rest },
    ),
  )
}

/** The type of the error that a call is refused with. */
export async function errorOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    error =>
      error instanceof RequestError ? error.type : String((error as { type?: string }).type ?? error),
  )
}
