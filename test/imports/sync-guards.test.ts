import type { ImportWish } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import type { JobType } from '../../packages/server/src/services/jobs/job-type.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { ended, importFile } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
/** Happens once an import has counted what it will delete. */
let afterCount = async () => {}

const importing = present(jobTypes.import, 'the type of imports')
const type: JobType = {
  ...importing,
  async begin(run) {
    const work = await importing.begin(run)
    await afterCount()
    return work
  },
}

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, { import: type }))
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const sync = { mode: 'sync', source: 'hr', max_deletes: '100%' } as const

/** How many members of the source there are. */
async function living(): Promise<number> {
  let count = 0
  for await (const _ of tenant.client.members.all({})) count++
  return count
}

test.each([
  ['email', 'email,name', 'a@example.com;b@example.com,Anna', 'c@example.com,Cem'],
  ['card_uid', 'card_uid,name', '04A1B2C3;04:D1:E2:F3,Anna', '04 01 02 03,Cem'],
  ['external_id', 'external_id,name', "'=1,Anna", "'-2,Cem"],
] as const)('a sync by %s deletes nobody whom the file names', async (key, head, one, other) => {
  const file = [head, one, other].join('\n')
  expect(await importFile(tenant, file, { ...sync, key })).toMatchObject({ summary: { created: 2 } })
  const again = await importFile(tenant, file, { ...sync, key })
  expect(again.summary).toMatchObject({ created: 0, deleted: 0, unchanged: 2 })
  expect(await living()).toBe(2)
})

test.each([
  ['email', 'email,name', 'a@example.com,Anna', ['broken@,Anna', ',Anna', ';,Anna']],
  ['card_uid', 'card_uid,name', '04A1B2C3,Anna', ['4.1E+11,Anna']],
  ['external_id', 'external_id,name', '412000000007,Anna', ['"4,12E+11",Anna', '-,Anna']],
  ['metadata.no', 'metadata.no,name', '412000000007,Anna', ['4.12E+11,Anna']],
] as const)(
  'a sync by %s deletes nobody while it is uncertain whom a row means',
  async (key, head, one, broken) => {
    await importFile(tenant, `${head}\n${one}`, { ...sync, key })
    for (const row of broken) {
      const job = await importFile(tenant, `${head}\n${row}`, { ...sync, key })
      expect(job, row).toMatchObject({
        progress: { total: 1, failed: 1 },
        summary: { created: 0, deleted: 0 },
      })
      expect(job.notices).toEqual(['Nothing is deleted, since it is uncertain whom 1 of 1 rows mean.'])
    }
    expect(await living()).toBe(1)
  },
)

test('one of several addresses that is in the file twice is told, and makes nobody twice', async () => {
  const file = 'email,name\na@example.com;b@example.com,Anna\nB@example.com,Ben\n'
  const job = await importFile(tenant, file, { key: 'email' })
  expect(job.progress).toMatchObject({ succeeded: 1, failed: 1 })
})

/** Imports members of the source, and returns the file that names them. */
async function seed(count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `S${index},Name ${index}\n`)
  const file = `external_id,name\n${rows.join('')}`
  await importFile(tenant, file, sync)
  return file
}

test('a dry run of a sync is not started beside another sync of its source', async () => {
  const file = await seed(2)
  const dry = await importFile(tenant, file, { ...sync, dry_run: true })
  const { db } = w.server.context
  const [other] = await db.query<{ id: string }>(
    `UPDATE jobs SET state = 'queued', type = 'booking_sync' WHERE organization_id = $1 AND NOT is_dry_run RETURNING id`,
    [tenant.organization_id],
  )
  await db.query(
    `UPDATE jobs SET state = 'running', type = 'import', owner = 'x', owned_until = 'infinity' WHERE id = $1`,
    [other?.id],
  )
  await expect(tenant.client.jobs.start(dry.id)).rejects.toMatchObject({ status: 409, type: 'job_running' })
  await db.query(`UPDATE jobs SET state = 'succeeded' WHERE id = $1`, [other?.id])
  await expect(tenant.client.jobs.start(dry.id)).resolves.toMatchObject({ parent_job_id: dry.id })
})

test('a sync that is started deletes nobody whom its dry run has not shown', async () => {
  await seed(3)
  const file = 'external_id,name\nS0,Name 0\nS1,Name 1\n'
  const dry = await importFile(tenant, file, { ...sync, dry_run: true })
  const { id } = await tenant.client.members.create({ name: 'Late', metadata: { source: 'hr' } })
  const started = await ended(tenant.client, (await tenant.client.jobs.start(dry.id)).id)
  expect(started).toMatchObject({ state: 'succeeded', summary: dry.summary, progress: { total: 3, done: 3 } })
  expect((await tenant.client.members.get(id)).is_deleted).toBe(false)
})

test('a sync whose file is gone deletes nobody', async () => {
  const file = await seed(3)
  const dry = await importFile(tenant, file, { ...sync, dry_run: true })
  await w.server.context.db.query('DELETE FROM job_inputs WHERE job_id = $1', [dry.id])
  const started = await ended(tenant.client, (await tenant.client.jobs.start(dry.id)).id)
  expect(started).toMatchObject({ state: 'failed', error: { type: 'gone' }, summary: { deleted: 0 } })
  expect(await living()).toBe(3)
})

test('a sync deletes no more than it may, also of what came after it had counted', async () => {
  await seed(4)
  afterCount = async () => {
    for (const name of ['X', 'Y', 'Z'])
      await tenant.client.members.create({ name, metadata: { source: 'hr' } })
  }
  const file = 'external_id,name\nS0,Name 0\nS1,Name 1\nS2,Name 2\n'
  const job = await importFile(tenant, file, { ...sync, max_deletes: '1' }).finally(() => {
    afterCount = async () => {}
  })
  expect(job.summary.deleted).toBeLessThanOrEqual(1)
  expect(job.error).toMatchObject({ args: { field: 'max_deletes' } })
  expect(await living()).toBeGreaterThanOrEqual(6)
})

test('what is undone is not undone again by the start of a preview', async () => {
  const job = await importFile(tenant, 'external_id,name\nA,Ann\n')
  const preview = await ended(tenant.client, (await tenant.client.jobs.undo(job.id, { dry_run: true })).id)
  await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  await expect(tenant.client.jobs.start(preview.id)).rejects.toMatchObject({ status: 409 })
})

test('a preview of an undo is not started once something that it shows has changed', async () => {
  const { client } = tenant
  const job = await importFile(tenant, 'external_id,name\nA,Ann\nB,Bob\n')
  const { id } = await client.members.create({ name: 'Other' })
  const tried = async () => (await ended(client, (await client.jobs.undo(job.id, { dry_run: true })).id)).id
  const preview = await tried()
  await client.members.edit(id, { name: 'Another' })
  const { data } = await client.members.list({ external_id: 'A' })
  await client.member_emails.create(data[0]?.id ?? '', { email: 'ann@example.com' })
  await expect(client.jobs.start(preview)).rejects.toMatchObject({ status: 412 })
  const again = await tried()
  await client.members.edit(id, { name: 'Yet another' })
  const undo = await ended(client, (await client.jobs.start(again)).id)
  expect(undo.progress).toMatchObject({ succeeded: 1, skipped: 1 })
})

test('all or none holds for cards as for members', async () => {
  const wish = { kind: 'cards', mode: 'create', on_row_error: 'rollback' } as const
  const job = await importFile(tenant, 'uid,name\n04A1B2C3,One\n04A1B2C4,Two\n', wish)
  expect(job).toMatchObject({ state: 'succeeded', summary: { created: 2, unchanged: 0 } })
  const { data } = await tenant.client.events.list({ 'object.type': 'card' })
  expect(data).toHaveLength(2)
  const undo = await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(undo.summary).toMatchObject({ deleted: 2 })
})

/** Tries a file, and does something else before the start. */
async function tryMeanwhile(file: string, meanwhile: () => Promise<unknown>, wish: ImportWish = {}) {
  const dry = await importFile(tenant, file, { ...wish, dry_run: true })
  await meanwhile()
  return dry
}

test('a card or PIN that a row names is noticed if it is taken, freed, lost or found between dry run and start', async () => {
  const { client } = tenant
  await importFile(tenant, 'external_id,name,card_uid,pin\nB,Bob,04A1B2C1,40291837\nG,Gil,04A1B2C2,\n')
  const { data } = await client.members.list({ sort: 'created_at:asc' })
  const [bob, gil] = data.map(({ id }) => id) as [string, string]
  const cardOf = async (id: string) =>
    (await client.member_cards.list(id, {})).data[0] as { id: string; card_id: string }
  const other = await client.cards.create({ uid: '04A1B2C3', printed_code: 'GH-3' })
  const lost = async (card_id: string, is_lost: boolean) => client.cards.edit(card_id, { is_lost })
  const steps: (readonly [string, () => Promise<unknown>])[] = [
    ['card_uid\nA,04A1B2C3', () => client.member_cards.create(gil, { card_id: other.id })],
    ['card_uid\nA,04A1B2C3', async () => lost(other.id, true)],
    ['card_printed_code\nA,GH-3', async () => lost(other.id, false)],
    ['card_uid\nA,04A1B2C4', () => client.cards.create({ uid: '04A1B2C4' })],
    ['card_uid\nA,04A1B2C1', async () => client.member_cards.delete(bob, (await cardOf(bob)).id)],
    ['card_uid\nA,04A1B2C2', () => client.members.delete(gil)],
    ['card_uid\nA,04A1B2C2', () => client.members.edit(gil, { is_deleted: false })],
    ['pin\nA,50382916', () => client.member_pins.create(gil, { pin: '50382916' })],
    ['pin\nA,40291837', () => client.members.delete(bob)],
  ]
  for (const [row, meanwhile] of steps) {
    const dry = await tryMeanwhile(`external_id,${row}`, meanwhile)
    await expect(client.jobs.start(dry.id), row).rejects.toMatchObject({ status: 412 })
  }
  const file = 'external_id,card_uid,pin\nA,04A1B2C1,60473825\n'
  const calm = await tryMeanwhile(file, () => client.members.edit(gil, { name: 'Gilbert' }))
  expect(await ended(client, (await client.jobs.start(calm.id)).id)).toMatchObject({
    summary: { created: 1 },
  })
})

test('a row that is refused is noticed if its member comes or goes', async () => {
  const { client } = tenant
  const { id } = await client.grants.create({ external_id: 'A', member: {}, member_group_ids: [] })
  const gone = await tryMeanwhile('external_id,name\nA,Ana\n', () => client.members.delete(id), {
    mode: 'create',
  })
  expect(gone.progress.failed).toBe(1)
  await expect(client.jobs.start(gone.id)).rejects.toMatchObject({ status: 412 })
  await client.member_groups.create({ name: 'Pool' })
  const come = await tryMeanwhile(
    'member,group\nB,Pool\n',
    () => client.grants.create({ external_id: 'B', member: {}, member_group_ids: [] }),
    { kind: 'group_associations' },
  )
  await expect(client.jobs.start(come.id)).rejects.toMatchObject({ status: 412 })
})

test('a group or tag that comes or goes is noticed only by files and defaults that name some', async () => {
  const { client } = tenant
  let count = 0
  const make = async () => {
    await client.member_groups.create({ name: `Group ${++count}` })
    await client.tags.create({ name: `Tag ${count}` })
  }
  const plain = await tryMeanwhile('external_id,name\nA,Ana\n', make)
  await expect(client.jobs.start(plain.id)).resolves.toMatchObject({ parent_job_id: plain.id })
  const { id } = await client.member_groups.create({ name: 'Staff' })
  const naming: (readonly [string, ImportWish?])[] = [
    ['external_id,groups\nB,Staff\n'],
    ['external_id,tags\nB,-\n'],
    ['external_id\nB\n', { defaults: { groups: 'Staff' } }],
    ['external_id\nB\n', { defaults: { member_group_ids: [id] } }],
  ]
  for (const [file, wish] of naming) {
    const dry = await tryMeanwhile(file, make, wish)
    await expect(client.jobs.start(dry.id), file).rejects.toMatchObject({ status: 412 })
  }
})
