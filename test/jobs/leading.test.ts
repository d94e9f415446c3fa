import type { JobTypeName } from '@gatehouse-access/api'
import { RequestError } from '@gatehouse-access/api'
import { slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobType, JobTypes } from '../../packages/server/src/services/jobs/job-type.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { tendJobs } from '../../packages/server/src/services/jobs/tend-jobs.ts'
import { makeJob, tagJob } from './tag-job.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
})
afterAll(() => owned.disposeAsync())

const patience = { timeout: 20_000 * slowness(), interval: 20 }

async function stateOf(tenant: Tenant, id: string): Promise<string> {
  return (await tenant.client.jobs.get(id)).state
}

/** A type whose jobs wait before their first batch until the gate opens, and the ids of those that were begun. */
function gated(more: Partial<JobType> = {}) {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const plain = tagJob(undefined, () => gate.promise)
  const type: JobType = {
    ...plain,
    ...more,
    begin(run) {
      begun.push(run.job.id)
      return plain.begin(run)
    },
  }
  return { begun, type, open: () => gate.resolve() }
}

const plain = { ...tagJob(), name: 'calendar_refresh' as const }

/** Waits until a runner has looked for jobs twice: what a look finds is begun with, and the second began after the first. */
async function looked(): Promise<void> {
  for (const _ of [1, 2]) {
    const tenant = await w.tenant()
    const { id } = await makeJob(w, tenant, { count: 1 }, { type: 'calendar_refresh' satisfies JobTypeName })
    await expect.poll(() => stateOf(tenant, id), patience).toBe('succeeded')
  }
}

function runner(types: JobTypes): JobRunner {
  return new JobRunner(w.server.context, { ...types, calendar_refresh: plain })
}

test('a process that was late to renew its lease does not lead its job twice', async () => {
  const tenant = await w.tenant()
  const { begun, type, open } = gated()
  const { id } = await makeJob(w, tenant, { count: 4 })
  await using _ = runner({ booking_sync: type })
  await expect.poll(() => begun, patience).toEqual([id])
  await w.server.context.db.query(`UPDATE jobs SET owned_until = '2000-01-01' WHERE id = $1`, [id])
  await looked()
  open()
  await expect.poll(() => stateOf(tenant, id), patience).toBe('succeeded')
  expect(begun).toEqual([id])
})

test('who no longer leads a job does not end it', async () => {
  const tenant = await w.tenant()
  const { id } = await makeJob(w, tenant, { count: 4 })
  const { db } = w.server.context
  const done = Promise.withResolvers<void>()
  const type = tagJob(undefined, async () => {
    await db.query(`UPDATE jobs SET owner = 'another', owned_until = 'infinity' WHERE id = $1`, [id])
    done.resolve()
    throw new RequestError('invalid_request', 'this concerns the job as a whole')
  })
  const first = runner({ booking_sync: type })
  await done.promise
  await first[Symbol.asyncDispose]()
  expect(await stateOf(tenant, id)).toBe('running')
})

test('of what is scarce a process leads no more than it may, however many wait', async () => {
  const { begun, type, open } = gated({ most_at_once: 2 })
  for (const _ of [1, 2, 3]) await makeJob(w, await w.tenant(), { count: 1 })
  await using _ = runner({ booking_sync: type })
  await looked()
  expect(begun).toHaveLength(2)
  open()
  await expect.poll(() => begun.length, patience).toBe(3)
})

test('an organization with several leaves what is scarce to the next one', async () => {
  const { begun, type, open } = gated({ most_at_once: 2 })
  const [one, other] = [await w.tenant(), await w.tenant()]
  const first = await makeJob(w, one, { count: 1 })
  const second = await makeJob(w, one, { count: 1 })
  await using _ = runner({ booking_sync: type })
  await looked()
  const late = await makeJob(w, other, { count: 1 })
  await expect.poll(() => begun, patience).toEqual([first.id, late.id])
  open()
  await expect.poll(() => begun, patience).toEqual([first.id, late.id, second.id])
})

test('rows stay while somebody undoes their job', async () => {
  const tenant = await w.tenant()
  const { id } = await makeJob(w, tenant, { count: 3 })
  {
    await using _ = runner({ booking_sync: tagJob() })
    await expect.poll(() => stateOf(tenant, id), patience).toBe('succeeded')
  }
  const undo = await makeJob(w, tenant, { count: 3 }, { undo_of_job_id: id })
  const { context } = w.server
  const countRows = async () =>
    (await context.db.query('SELECT 1 FROM job_rows WHERE job_id = $1', [id])).length
  w.clock.advance(8 * 24 * 3600)
  await tendJobs(context)
  expect(await countRows()).toBe(3)
  await using _ = runner({ booking_sync: tagJob() })
  await expect.poll(() => stateOf(tenant, undo.id), patience).toBe('succeeded')
  expect((await tenant.client.tags.list({})).data).toEqual([])
  await tendJobs(context)
  expect(await countRows()).toBe(0)
})

test('a job that cannot be begun again lists what it has written', async () => {
  const tenant = await w.tenant()
  const { id } = await makeJob(w, tenant, { count: 40, per_batch: 1 })
  const { db } = w.server.context
  {
    await using _ = runner({ booking_sync: tagJob() })
    await expect
      .poll(async () => (await tenant.client.jobs.get(id)).progress.done, patience)
      .toBeGreaterThan(0)
  }
  await db.query(`UPDATE jobs SET owner = NULL WHERE id = $1`, [id])
  const gone: JobType = {
    ...tagJob(),
    begin: () => Promise.reject(new RequestError('gone', 'the file was removed')),
  }
  await using _ = runner({ booking_sync: gone })
  await expect.poll(() => stateOf(tenant, id), patience).toBe('failed')
  const { error, files } = await tenant.client.jobs.get(id)
  expect(error).toMatchObject({ type: 'gone' })
  expect(files.map(({ name }) => name)).toEqual(['results.csv', 'errors.csv'])
  expect(await (await tenant.client.jobs.file(id, 'errors.csv')).text()).toMatch(/^x+$/)
})
