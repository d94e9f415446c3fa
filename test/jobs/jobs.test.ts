import { resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { createApplication } from '@gatehouse-access/server'
import { slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cleanUp } from '../../packages/server/src/jobs/clean-up.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { tendJobs } from '../../packages/server/src/services/jobs/tend-jobs.ts'
import { digest } from '../../packages/server/src/vault/vault.ts'
import { errorOf, type Hook, makeJob, tagJob } from './tag-job.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

/** Runs jobs until the end of the block. */
function runner(hook?: Hook): JobRunner {
  return new JobRunner(w.server.context, { booking_sync: tagJob(hook) })
}

const patience = { timeout: 20_000 * slowness(), interval: 20 }

async function stateOf(id: string): Promise<string> {
  return (await tenant.client.jobs.get(id)).state
}

function reaches(id: string, state: string): Promise<void> {
  return expect.poll(() => stateOf(id), patience).toBe(state)
}

async function tagNames(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of tenant.client.tags.all({ sort: 'created_at:asc' })) names.push(name)
  return names
}

async function jobEvents(id: string) {
  const { data } = await tenant.client.events.list({ 'object.job_id': id, limit: 100 })
  return data.toReversed()
}

test('a job runs in batches, tells how far it is, and names itself in its events', async () => {
  await using _ = runner()
  const { id } = await makeJob(w, tenant, { count: 7, refuses: [2] })
  const job = await tenant.client.jobs.wait(id)
  expect(job).toMatchObject({
    state: 'partly_succeeded',
    progress: { total: 7, done: 7, succeeded: 6, skipped: 0, failed: 1 },
    summary: { created: 6, updated: 0 },
    created_by: { oauth_application_id: tenant.oauth_application_id, user_id: null },
    error: null,
    estimated_end_at: null,
  })
  expect(job.can_undo_until).toBe(addSeconds(job.ended_at ?? '', 7 * 24 * 3600))
  const events = await jobEvents(id)
  expect(events.filter(({ object }) => object.type === 'tag')).toHaveLength(6)
  expect(events.map(({ subject }) => subject.oauth_application_id)).toEqual(
    events.map(() => tenant.oauth_application_id),
  )
  const own = events.filter(({ object }) => object.type === 'job')
  expect(own.map(({ verb, object }) => [verb, object.reason ?? null])).toEqual([
    ['create', null],
    ['edit', 'running'],
    ['edit', 'partly_succeeded'],
  ])
})

test('while a job runs it tells when it will probably end', async () => {
  const gate = Promise.withResolvers<void>()
  const { id } = await makeJob(w, tenant, { count: 9 })
  await using _ = runner(async (_batch, next) => {
    if (next === 4) w.clock.advance(10)
    if (next === 7) await gate.promise
  })
  await expect.poll(async () => (await tenant.client.jobs.get(id)).progress.done, patience).toBe(3)
  const { state, started_at, estimated_end_at } = await tenant.client.jobs.get(id)
  expect(state).toBe('running')
  expect(Date.parse(String(estimated_end_at)) - Date.parse(String(started_at))).toBeGreaterThanOrEqual(30_000)
  gate.resolve()
  await reaches(id, 'succeeded')
})

test('whoever goes on after a leader was lost repeats nothing and leaves nothing out', async () => {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const { id } = await makeJob(w, tenant, { count: 12 })
  const first = runner(async (_batch, next) => {
    if (next !== 7) return
    reached.resolve()
    await gate.promise
  })
  await reached.promise
  // As after its death: the batch in progress is not committed, and nobody leads.
  const { db } = w.server.context
  await db.query('UPDATE jobs SET owner = $2 WHERE id = $1', [id, 'another'])
  gate.resolve()
  await first[Symbol.asyncDispose]()
  expect((await tagNames()).length).toBe(3)
  await db.query('UPDATE jobs SET owner = NULL WHERE id = $1', [id])
  await using _ = runner()
  await reaches(id, 'succeeded')
  expect((await tagNames()).toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `tag ${index + 1}`).toSorted(),
  )
  const rows = await db.query('SELECT 1 FROM job_rows WHERE job_id = $1', [id])
  expect(rows).toHaveLength(12)
  expect((await tenant.client.jobs.get(id)).progress).toMatchObject({ done: 12, succeeded: 12 })
})

test('a statement that fails costs the row that it belongs to, and no other', async () => {
  await using _ = runner()
  const { id } = await makeJob(w, tenant, { count: 8, breaks: [5] })
  const job = await tenant.client.jobs.wait(id)
  expect(job.progress).toEqual({ total: 8, done: 8, succeeded: 7, skipped: 0, failed: 1 })
  expect(await tagNames()).not.toContain('tag 5')
})

test('a canceled job stops between batches, and what is done stays', async () => {
  const { id } = await makeJob(w, tenant, { count: 500, per_batch: 1 })
  {
    await using _ = runner(async (_batch, next) => {
      if (next === 3) await tenant.client.jobs.cancel(id)
    })
    await reaches(id, 'canceled')
  }
  const job = await tenant.client.jobs.cancel(id)
  expect(job.progress.done).toBe((await tagNames()).length)
  expect(job.progress.done).toBeLessThan(500)
  expect(job.files.map(({ name }) => name)).toEqual(['results.csv', 'errors.csv'])
  const waiting = await makeJob(w, tenant, { count: 1, per_batch: 1 })
  await tenant.client.jobs.cancel(waiting.id)
  expect(await stateOf(waiting.id)).toBe('canceled')
})

describe('a dry run', () => {
  test('changes nothing, and is started once', async () => {
    await using _ = runner()
    const { id } = await makeJob(w, tenant, { count: 4 }, { is_dry_run: true })
    const tried = await tenant.client.jobs.wait(id)
    expect(tried).toMatchObject({ state: 'awaiting', summary: { created: 4 }, can_undo_until: null })
    expect(await tagNames()).toEqual([])
    expect((await jobEvents(id)).map(({ object }) => object.type)).toEqual(['job', 'job', 'job'])
    const started = await tenant.client.jobs.start(id)
    expect(started).toMatchObject({ parent_job_id: id, is_dry_run: false })
    await reaches(started.id, 'succeeded')
    expect((await tagNames()).length).toBe(4)
    expect(await stateOf(id)).toBe('succeeded')
    expect(await errorOf(tenant.client.jobs.start(id))).toBe('job_state')
  })

  test('cannot be started after its time, and is then canceled', async () => {
    await using _ = runner()
    const { id } = await makeJob(w, tenant, { count: 1 }, { is_dry_run: true })
    const { can_start_until } = await tenant.client.jobs.wait(id)
    w.clock.set(can_start_until ?? '')
    expect(await errorOf(tenant.client.jobs.start(id))).toBe('job_state')
    await tendJobs(w.server.context)
    expect(await stateOf(id)).toBe('canceled')
  })
})

test('a job is undone once, within a week', async () => {
  await using _ = runner()
  const { id } = await makeJob(w, tenant, { count: 7 })
  const { can_undo_until } = await tenant.client.jobs.wait(id)
  const tried = await tenant.client.jobs.undo(id, { dry_run: true })
  await reaches(tried.id, 'awaiting')
  expect((await tagNames()).length).toBe(7)
  const undo = await tenant.client.jobs.undo(id)
  expect(undo.undo_of_job_id).toBe(id)
  const undone = await tenant.client.jobs.wait(undo.id)
  expect(undone).toMatchObject({ state: 'succeeded', summary: { deleted: 7 }, can_undo_until: null })
  expect(await tagNames()).toEqual([])
  expect(await errorOf(tenant.client.jobs.undo(id))).toBe('job_state')
  expect(await errorOf(tenant.client.jobs.undo(undo.id))).toBe('job_state')
  const other = await makeJob(w, tenant, { count: 1 })
  await reaches(other.id, 'succeeded')
  w.clock.set(addSeconds(can_undo_until ?? '', 3600))
  expect(await errorOf(tenant.client.jobs.undo(other.id))).toBe('job_state')
})

describe('rights', () => {
  const revoke = (token: string) =>
    w.server.context.db.query('UPDATE access_tokens SET revoked_at = now() WHERE token_hash = $1', [
      digest(token),
    ])

  test('end the job when they end', async () => {
    const token = await tenant.tokenWith(['full_read_write'])
    const { id } = await makeJob(w, tenant, { count: 500, per_batch: 1 }, { token })
    await using _ = runner(async (_batch, next) => {
      if (next === 4) await revoke(token)
    })
    await reaches(id, 'failed')
    const { error, progress } = await tenant.client.jobs.get(id)
    expect(error).toMatchObject({ type: 'permission_denied', args: { reason: 'rights_gone' } })
    expect(progress.done).toBe((await tagNames()).length)
  })

  test('end the job when its application is uninstalled', async () => {
    const { db } = w.server.context
    const { id } = await makeJob(w, tenant, { count: 500, per_batch: 1 })
    await using _ = runner(async (_batch, next) => {
      if (next === 4)
        await db.query('DELETE FROM installations WHERE organization_id = $1', [tenant.organization_id])
    })
    const found = async () => (await db.query('SELECT state, error FROM jobs WHERE id = $1', [id]))[0]
    await expect.poll(found, patience).toMatchObject({
      state: 'failed',
      error: { type: 'permission_denied' },
    })
  })

  test('do not end the job when the token only expires', async () => {
    const token = await tenant.tokenWith(['full_read_write'])
    const { id } = await makeJob(w, tenant, { count: 12 }, { token })
    await using _ = runner(async (_batch, next) => {
      if (next !== 4) return
      const past = addSeconds(w.server.context.clock.now(), -60)
      await w.server.context.db.query('UPDATE access_tokens SET expires_at = $2 WHERE token_hash = $1', [
        digest(token),
        past,
      ])
    })
    await reaches(id, 'succeeded')
    expect((await tenant.client.jobs.get(id)).progress.done).toBe(12)
  })

  test('of another application do not reach the job', async () => {
    const { id } = await makeJob(w, tenant, { count: 1 })
    const application = await createApplication(w.server.context, w.server.context.db, 'Another')
    const other = tenant.clientWith(['full_read_write'], application)
    const calls = [
      () => other.jobs.get(id),
      () => other.jobs.cancel(id),
      () => other.jobs.undo(id),
      () => other.jobs.start(id),
      () => other.jobs.edit(id, { metadata: { a: 'b' } }),
    ]
    for (const call of calls) expect(await errorOf(call())).toBe('not_found')
    expect((await other.jobs.list()).data).toEqual([])
    const [event] = (await other.events.list({ 'object.job_id': id, expand: ['object_job'] })).data
    expect(event?.object.job_id).toBe(id)
    expect(event).not.toHaveProperty('object_job')
  })

  test('to read are not enough to cancel', async () => {
    const { id } = await makeJob(w, tenant, { count: 1 })
    const reader = tenant.clientWith(['full_read_only'])
    expect((await reader.jobs.get(id)).id).toBe(id)
    expect(await errorOf(reader.jobs.cancel(id))).toBe('permission_denied')
  })
})

describe('limits', () => {
  test('three jobs of an organization run, and others do not wait for them', async () => {
    const gate = Promise.withResolvers<void>()
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push((await makeJob(w, tenant, { count: 1 })).id)
    const other = await w.tenant()
    const theirs = await makeJob(w, other, { count: 2 })
    await using _ = runner(async ({ work }) => {
      if (work.caller.organization_id === tenant.organization_id) await gate.promise
    })
    await expect.poll(async () => (await other.client.jobs.get(theirs.id)).state, patience).toBe('succeeded')
    await reaches(ids[2] ?? '', 'running')
    const states = await Promise.all(ids.map(stateOf))
    expect(states).toEqual(['running', 'running', 'running', 'queued', 'queued'])
    gate.resolve()
    for (const id of ids) await reaches(id, 'succeeded')
  })

  test('twenty jobs wait', async () => {
    for (let count = 0; count < 20; count++) await makeJob(w, tenant, { count: 1 })
    expect(await errorOf(makeJob(w, tenant, { count: 1 }))).toBe('rate_limited')
  })

  test('five jobs a minute, for each application', async () => {
    await using limited = await world({ rate_limit: 1000 })
    const one = await limited.tenant()
    for (let count = 0; count < 5; count++) await makeJob(limited, one, { count: 1 })
    expect(await errorOf(makeJob(limited, one, { count: 1 }))).toBe('rate_limited')
    await makeJob(limited, await limited.tenant(), { count: 1 })
    limited.clock.advance(61)
    await makeJob(limited, one, { count: 1 })
  })
})

describe('files', () => {
  const fetchFile = async (id: string, name: string, token = tenant.token) =>
    fetch(`${w.url}/v2/jobs/${id}/files/${name}`, { headers: { authorization: `Bearer ${token}` } })

  test('are encrypted, and those with secrets are fetched once', async () => {
    await using _ = runner()
    const { id } = await makeJob(w, tenant, { count: 7 })
    const { files } = await tenant.client.jobs.wait(id)
    const text = Array.from({ length: 7 }, (_, index) => `canary ${index + 1}\r\n`).join('')
    expect(files.map(({ name, bytes, is_secret }) => [name, bytes, is_secret])).toEqual([
      ['results.csv', text.length, true],
      ['errors.csv', 3, false],
    ])
    const stored = await w.server.context.db.query<{ ciphertext: Buffer }>(
      'SELECT ciphertext FROM job_files WHERE job_id = $1',
      [id],
    )
    expect(stored.some(({ ciphertext }) => ciphertext.includes('canary'))).toBe(false)
    expect(await (await fetchFile(id, 'results.csv')).text()).toBe(text)
    expect((await fetchFile(id, 'results.csv')).status).toBe(410)
    expect(await (await fetchFile(id, 'results.csv?again=true')).text()).toBe(text)
    expect((await fetchFile(id, 'results.csv?again=perhaps')).status).toBe(400)
    expect(await (await fetchFile(id, 'errors.csv')).text()).toBe('xxx')
    expect((await fetchFile(id, 'other.csv')).status).toBe(404)
    const reader = await tenant.tokenWith(['full_read_only'])
    expect((await fetchFile(id, 'results.csv?again=true', reader)).status).toBe(403)
    expect((await fetchFile(id, 'errors.csv', reader)).status).toBe(200)
    const stranger = await w.tenant()
    expect((await fetchFile(id, 'errors.csv', stranger.token)).status).toBe(404)
  })

  test('and rows are removed, and at last the job', async () => {
    await using _ = runner()
    const { id } = await makeJob(w, tenant, { count: 2 })
    const { ended_at } = await tenant.client.jobs.wait(id)
    const { context } = w.server
    const count = async (table: string) =>
      (await context.db.query(`SELECT 1 FROM ${table} WHERE job_id = $1`, [id])).length
    const day = 24 * 3600
    const lookAfter = async (days: number) => {
      w.clock.set(addSeconds(ended_at ?? '', days * day + 60))
      await cleanUp(context)
      await tendJobs(context)
      return [await count('job_rows'), await count('job_files')]
    }
    const fresh = () => tenant.tokenWith(['full_read_write'])
    expect(await lookAfter(1)).toEqual([2, 1])
    expect((await fetchFile(id, 'results.csv', await fresh())).status).toBe(410)
    expect(await lookAfter(7)).toEqual([0, 0])
    const kept = await context.db.query('SELECT settings FROM jobs WHERE id = $1', [id])
    expect(kept).toEqual([{ settings: {} }])
    expect((await fetchFile(id, 'errors.csv', await fresh())).status).toBe(404)
    await lookAfter(30)
    expect(await errorOf(tenant.client.jobs.get(id))).toBe('not_found')
  })
})

test('only the metadata of a job can be edited', async () => {
  const { id } = await makeJob(w, tenant, { count: 1 })
  expect((await tenant.client.jobs.edit(id, { metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' })
  expect(Object.entries(resources.job.fields).filter(([, { edit }]) => edit)).toHaveLength(1)
})
