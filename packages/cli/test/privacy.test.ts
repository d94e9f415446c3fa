import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const say = (...args: string[]) =>
  gatehouse(['privacy', ...args, '--url', w.url], { DATABASE_URL: w.database_url })

test('the data of a member is written to files, and the record is printed', async () => {
  const { client } = await w.tenant('Office')
  const { id } = await client.members.create({ name: 'Xochitl' })
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-export-'))
  owned.defer(() => rm(folder, { recursive: true }))
  const path = join(folder, 'member-data.json')
  expect(await say('export', id, '--out', folder)).toEqual({
    code: 0,
    stdout: `${path}\n${join(folder, 'member-data.html')}\n`,
    stderr: '',
  })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ member: { id, name: 'Xochitl' } })
  expect((await stat(path)).mode & 0o077).toBe(0)
  expect(await say('export', 'mem_00000000000000000000', '--out', folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^mem_0+ was not exported: .*\.\n$/),
  })

  const { stdout } = await say('report')
  expect(stdout).toMatch(/access_days +endless/)
  expect(stdout).toMatch(/members +access +identity, contact, free +after_deletion/)
  expect(JSON.parse((await say('report', '--json')).stdout)).toMatchObject({ organization: 'Office' })
})
