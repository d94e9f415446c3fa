import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'

test('a bulk edit leaves alone who matches only since its dry run, even if as many match as before', async () => {
  await using w = await world({ rate_limit: 0 })
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client } = await w.tenant()
  const make = (name: string, language: 'de' | 'en') => client.members.create({ name, language })
  const [late, shown, left] = [await make('Late', 'en'), await make('Shown', 'de'), await make('Left', 'de')]
  const wish = { kind: 'members', filter: { language: 'de' }, change: { is_deleted: true } } as const
  const dry = await client.jobs.wait((await client.bulk.edit({ ...wish, dry_run: true })).id)
  expect(dry).toMatchObject({ state: 'awaiting', summary: { deleted: 2 } })
  await client.members.edit(left.id, { language: 'en' })
  await client.members.edit(late.id, { language: 'de' })
  await expect(client.jobs.start(dry.id)).rejects.toMatchObject({ status: 412 })
  const job = await client.jobs.wait((await client.jobs.start(dry.id, { force: true })).id)
  expect(job).toMatchObject({ summary: { deleted: 1 }, progress: { skipped: 1 } })
  const isDeleted = async (id: string) => (await client.members.get(id)).is_deleted
  expect([await isDeleted(late.id), await isDeleted(shown.id), await isDeleted(left.id)]).toEqual([
    false,
    true,
    false,
  ])
})

test('a bulk edit that is started with force leaves alone who is there only since its dry run', async () => {
  await using w = await world({ rate_limit: 0 })
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client } = await w.tenant()
  const make = (name: string) => client.members.create({ name, language: 'de' })
  const shown = [await make('One'), await make('Two')]
  const wish = { kind: 'members', filter: { language: 'de' }, change: { is_deleted: true } } as const
  const dry = await client.jobs.wait((await client.bulk.edit({ ...wish, dry_run: true })).id)
  const late = await make('Three')
  await expect(client.jobs.start(dry.id)).rejects.toMatchObject({ status: 412 })
  const job = await client.jobs.wait((await client.jobs.start(dry.id, { force: true })).id)
  expect(job).toMatchObject({
    state: 'succeeded',
    summary: { deleted: 2 },
    progress: { done: 3, succeeded: 2, skipped: 1 },
  })
  const areDeleted = [...shown, late].map(async ({ id }) => (await client.members.get(id)).is_deleted)
  expect(await Promise.all(areDeleted)).toEqual([true, true, false])
})
