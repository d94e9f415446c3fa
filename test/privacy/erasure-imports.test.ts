import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { ended, fileOf, importFile } from '../imports/importing.ts'
import { workUntil } from './erase.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0, delivery: true }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const detailsOf = async (job_id: string) =>
  (
    await w.server.context.db.query(
      'SELECT 1 FROM job_rows WHERE job_id = $1 AND detail_ciphertext IS NOT NULL',
      [job_id],
    )
  ).length

test('what imports keep of rows that made nobody goes with an erasure: refused ones, and those of a dry run', async () => {
  const { client } = tenant
  const refused = await importFile(
    tenant,
    'external_id,name,starts_at\nR-1,Ann Adler,yesterday\nR-2,Bob,\n',
    {
      timezone: 'Europe/Madrid',
    },
  )
  expect(await fileOf(tenant, refused, 'errors.csv')).toContain('Ann Adler')
  const dry = await importFile(tenant, 'external_id,name\nR-1,Ann Adler\n', { dry_run: true })
  expect(await fileOf(tenant, dry, 'diff.ndjson')).toContain('Ann Adler')
  const started = await ended(client, (await client.jobs.start(dry.id)).id)
  expect(started).toMatchObject({ state: 'succeeded', summary: { created: 1 } })
  const [ann] = (await client.members.list({ external_id: 'R-1' })).data
  const { id } = await client.members.erase(String(ann?.id), {})
  await workUntil(w, client, id, 'done')
  await expect(fileOf(tenant, refused, 'errors.csv')).rejects.toMatchObject({ status: 410 })
  await expect(fileOf(tenant, dry, 'diff.ndjson')).rejects.toMatchObject({ status: 410 })
  expect([await detailsOf(dry.id), await detailsOf(refused.id)]).toEqual([0, 1])
})

test('what imports keep of rows stays if they came after the member was erased', async () => {
  const { client } = tenant
  const gone = await client.members.create({ name: 'Carl' })
  const { id } = await client.members.erase(gone.id, {})
  await workUntil(w, client, id, 'done')
  w.clock.advance(1)
  const refused = await importFile(tenant, 'external_id,name,starts_at\nR-3,Dan,yesterday\n', {
    timezone: 'Europe/Madrid',
  })
  const other = await client.members.create({ name: 'Eve' })
  const dry = await importFile(tenant, 'external_id,name\nR-4,Fred\n', { dry_run: true })
  const again = await client.members.erase(gone.id, {}).catch(error => error)
  expect(again).toMatchObject({ status: 400 })
  expect(await fileOf(tenant, refused, 'errors.csv')).toContain('Dan')
  expect(await fileOf(tenant, dry, 'diff.ndjson')).toContain('Fred')
  expect((await client.members.get(other.id)).name).toBe('Eve')
})

test('a dry run that waits can still be started after somebody else was erased', async () => {
  const { client } = tenant
  const dry = await importFile(tenant, 'external_id,name\nR-5,Gina\n', { dry_run: true })
  const other = await client.members.create({ name: 'Hugo' })
  const { id } = await client.members.erase(other.id, {})
  await workUntil(w, client, id, 'done')
  const started = await ended(client, (await client.jobs.start(dry.id)).id)
  expect(started).toMatchObject({ state: 'succeeded', summary: { created: 1 } })
})
