import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../server/src/services/job-types.ts'
import { JobRunner } from '../../server/src/services/jobs/run-jobs.ts'
import { gatehouse } from './gatehouse.ts'

const owned = new AsyncDisposableStack()
let w: World
beforeAll(async () => {
  w = owned.use(await world())
  owned.use(new JobRunner(w.server.context, jobTypes))
})
afterAll(() => owned.disposeAsync())

const say = (...args: string[]) => gatehouse([...args, '--url', w.url], { DATABASE_URL: w.database_url })

test('members are exported, and the job is listed; an import is undone', async () => {
  const { client } = await w.tenant('Office')
  await client.members.create({ name: 'Ána' })
  const exported = await say('export', 'members', '--format', 'csv')
  expect(exported.stderr).toBe('')
  expect(exported.stdout).toMatch(/^id,external_id,name,email,groups,.*\r\nmem_\w+,,Ána,/)
  expect((await say('export', 'members', '--format', 'ndjson')).stdout).toMatch(/^\{"id":"mem_.*\}\n$/)
  const [job] = (await client.jobs.list()).data
  const listed = await say('jobs', '--limit', '1')
  expect(listed.stdout).toMatch(/^ID +TYPE +STATE +DONE +FAILED +CREATED +ENDED\n/)
  expect(listed.stdout).toMatch(new RegExp(`${job?.id} +export +succeeded +1 of 1 +0 `))
  expect((await say('jobs', 'cancel', job?.id ?? '')).stdout).toMatch(/is succeeded\. 1 done/)
  const undo = await say('jobs', 'undo', job?.id ?? '')
  expect([undo.code, undo.stderr]).toEqual([1, expect.stringContaining('was not undone')])
  const { id } = await client.imports.create('external_id,name\nA,Ann\n')
  await client.jobs.wait(id)
  const undone = await say('jobs', 'undo', id)
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringMatching(/is succeeded\. 1 done/)])
  expect((await client.members.list({})).data.map(({ name }) => name)).toEqual(['Ána'])
})

test('what cannot be exported is told', async () => {
  const ghosts = await say('export', 'ghosts')
  expect([ghosts.code, ghosts.stdout]).toEqual([1, ''])
  expect(ghosts.stderr).toContain('kind must be one of')
  expect((await say('export', 'members', '--format', 'xlsx')).stderr).toContain('cannot write xlsx')
})
