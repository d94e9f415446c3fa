import type { Client } from '@gatehouse-access/sdk'
import { slowness, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { clientOf } from '../oauth/client-of.ts'
import { found, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { ended } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let owner: Visitor
let organization_id: string
let client: Client

beforeAll(async () => {
  w = owned.use(await world({ is_reachable: true, rate_limit: 0 }))
  owner = await signUp(w, 'owner@example.com', 'Olivia Owner')
  organization_id = await found(owner)
  client = await clientOf(owner, organization_id)
})
afterAll(() => owned.disposeAsync())

const patience = { timeout: 20_000 * slowness(), interval: 20 }

/** Lets somebody into the organization. */
async function invite(name: string, role: 'administrator' | 'viewer') {
  const email = `${name}@example.com`
  const visitor = await signUp(w, email, name)
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, { email, role })
  const { body } = await visitor.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await visitor.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const { body: session } = await visitor.account<{ user: { id: string } }>('GET', '/account/session')
  return { user_id: session.user.id, client: await clientOf(visitor, organization_id) }
}

/** The statuses of requests that are sent at once, in order. */
async function race(...requests: readonly (() => Promise<unknown>)[]): Promise<(number | string)[]> {
  const done = await Promise.allSettled(requests.map(send => send()))
  return done
    .map(one => (one.status === 'fulfilled' ? 200 : `${one.reason.status} ${one.reason.type}`))
    .toSorted()
}

test('two administrators at the same job: it is started, canceled and undone once', within(60), async () => {
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client: other } = await invite('ada', 'administrator')
  const file = 'external_id,name\nA,Ann\nB,Bob\n'
  const tried = await ended(client, (await client.imports.create(file, { dry_run: true })).id)
  const starts = [() => client.jobs.start(tried.id), () => other.jobs.start(tried.id)]
  expect(await race(...starts)).toEqual([200, '409 job_state'])
  const started = await client.jobs.list({ parent_job_id: tried.id })
  expect(started.data).toHaveLength(1)
  const job = await ended(other, started.data[0]?.id ?? '')
  expect(job.summary).toMatchObject({ created: 2 })
  expect(
    await race(
      () => client.jobs.undo(job.id),
      () => other.jobs.undo(job.id),
    ),
  ).toEqual([200, '409 job_state'])
  const again = await ended(client, (await client.imports.create(file, { dry_run: true })).id)
  expect(
    await race(
      () => client.jobs.cancel(again.id),
      () => other.jobs.cancel(again.id),
    ),
  ).toEqual([200, 200])
  expect(await race(() => client.jobs.start(again.id))).toEqual(['409 job_state'])
})

test('what another one has changed since the dry run is not overwritten', within(60), async () => {
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client: other } = await invite('eve', 'administrator')
  for (const name of ['Cleaner 1', 'Cleaner 2']) await client.members.create({ name })
  const edit = { kind: 'members', filter: { q: 'Cleaner' }, change: { is_deleted: true } } as const
  const tried = await ended(client, (await client.bulk.edit({ ...edit, dry_run: true })).id)
  expect(tried.progress.done).toBe(2)
  await other.members.create({ name: 'Cleaner 3' })
  expect(await race(() => client.jobs.start(tried.id))).toEqual(['412 precondition_failed'])
  expect(await race(() => client.bulk.edit({ ...edit, expected_count: 2 }))).toEqual([
    '412 precondition_failed',
  ])
  const file = 'external_id,name\nC,Cat\n'
  const dry = await ended(client, (await client.imports.create(file, { dry_run: true })).id)
  await other.grants.create({ external_id: 'C', member: { name: 'Kate' }, member_group_ids: [] })
  expect(await race(() => client.jobs.start(dry.id))).toEqual(['412 precondition_failed'])
  expect((await client.members.list({ external_id: 'C' })).data).toMatchObject([{ name: 'Kate' }])
})

test(
  'two imports of the same keys at once: the later finds them unchanged, and nobody is there twice',
  within(60),
  async () => {
    const rows = Array.from({ length: 600 }, (_, n) => `T${n},Twin ${n}\n`)
    const file = `external_id,name\n${rows.join('')}`
    const { client: other } = await invite('tim', 'administrator')
    const made = await Promise.all([client.imports.create(file), other.imports.create(file)])
    await using _ = new JobRunner(w.server.context, jobTypes)
    const jobs = await Promise.all(made.map(({ id }) => ended(client, id)))
    expect(jobs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    const sum = (name: 'created' | 'unchanged') =>
      jobs.reduce((total, { summary }) => total + summary[name], 0)
    expect([sum('created'), sum('unchanged')]).toEqual([600, 600])
    const { count } = await client.members.list({ q: 'Twin', with_count: true })
    expect(count).toBe(600)
  },
)

test('one sync of a source at a time, also by the start of a dry run', within(60), async () => {
  const sync = { mode: 'sync', source: 'hr', max_deletes: '5' } as const
  const file = 'external_id,name\nS,Sue\n'
  const dry = await client.imports.create(file, { ...sync, dry_run: true })
  {
    await using _ = new JobRunner(w.server.context, jobTypes)
    await ended(client, dry.id)
  }
  // Nobody runs jobs now, so that it stays queued.
  const queued = await client.imports.create(file, sync)
  expect(
    await race(
      () => client.imports.create(file, sync),
      () => client.jobs.start(dry.id, { force: true }),
    ),
  ).toEqual(['409 job_running', '409 job_running'])
  await client.jobs.cancel(queued.id)
  expect(await race(() => client.jobs.start(dry.id))).toEqual([200])
})

test('a viewer sees jobs and starts none', within(60), async () => {
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client: viewer } = await invite('vic', 'viewer')
  const dry = await ended(
    client,
    (await client.imports.create('external_id,name\nV,Val\n', { dry_run: true })).id,
  )
  expect((await viewer.jobs.get(dry.id)).state).toBe('awaiting')
  const denied = '403 permission_denied'
  expect(
    await race(
      () => viewer.jobs.start(dry.id),
      () => viewer.jobs.cancel(dry.id),
      () => viewer.imports.create('external_id,name\nV,Val\n'),
      () =>
        viewer.bulk.edit({ kind: 'members', filter: {}, change: { is_deleted: true }, expected_count: 0 }),
    ),
  ).toEqual([denied, denied, denied, denied])
})

const users = () => `/account/organizations/${organization_id}/users`

test.each([
  ['max', 'is removed', (id: string) => owner.account('DELETE', `${users()}/${id}`)],
  ['nan', 'becomes a viewer', (id: string) => owner.account('PATCH', `${users()}/${id}`, { role: 'viewer' })],
])(
  'when %s, an administrator, %s, the import that they made ends; what is done stays',
  within(60),
  async (name, _what, demote) => {
    const { client: admin, user_id } = await invite(name, 'administrator')
    const rows = Array.from({ length: 5000 }, (_, n) => `${name}${n},Member ${n}\n`)
    const { id } = await admin.imports.create(`external_id,name\n${rows.join('')}`)
    await using _ = new JobRunner(w.server.context, jobTypes)
    await expect.poll(async () => (await client.jobs.get(id)).progress.done, patience).toBeGreaterThan(0)
    const { done } = (await client.jobs.get(id)).progress
    expect((await demote(user_id)).status).toBe(200)
    await expect
      .poll(async () => (await client.jobs.get(id)).state, { timeout: 2000, interval: 40 })
      .toBe('failed')
    const job = await client.jobs.get(id)
    expect(job).toMatchObject({ state: 'failed', error: { type: 'permission_denied' } })
    const [counted] = await w.server.context.db.query<{ members: number }>(
      `SELECT count(*)::integer AS members FROM members WHERE organization_id = $1 AND external_id LIKE $2`,
      [organization_id, `${name}%`],
    )
    expect(counted?.members).toBe(job.progress.done)
    expect(job.progress.done).toBeGreaterThanOrEqual(done)
    expect(job.progress.done).toBeLessThan(rows.length)
  },
)
