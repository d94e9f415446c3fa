import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { jobTypes } from '../../server/src/services/job-types.ts'
import { JobRunner } from '../../server/src/services/jobs/run-jobs.ts'
import { gatehouse } from './gatehouse.ts'

test('a file is tried and imported; refused rows are shown, and are the exit code 3', async () => {
  await using w = await world()
  await using _ = new JobRunner(w.server.context, jobTypes)
  const { client } = await w.tenant('Hotel')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'import-'))
  const file = join(folder.path, 'members.csv')
  await writeFile(file, 'external_id,name,email\nA,Ann,a@example.com\nB,Bob,wrong\n')
  const env = { DATABASE_URL: w.database_url }
  const tried = await gatehouse(['import', file, '--dry-run', '--url', w.url], env)
  expect([tried.code, tried.stdout]).toEqual([3, expect.stringContaining('1 created, 0 updated')])
  expect(tried.stdout).toContain('B,Bob,wrong,3,email,')
  expect((await client.members.list({})).data).toEqual([])
  const done = await gatehouse(['import', file, '--watch', '--url', w.url], env)
  expect([done.code, done.stdout]).toEqual([3, expect.stringContaining('is partly_succeeded')])
  expect((await client.members.list({})).data.map(({ name }) => name)).toEqual(['Ann'])
  await writeFile(file, 'external_id,name\nC,Cat\n')
  const whole = await gatehouse(['import', file, '--watch', '--url', w.url], env)
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining('is succeeded')])
  const unknown = await gatehouse(['import', join(folder.path, 'none.csv'), '--url', w.url], env)
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('cannot be read')])
  await writeFile(file, 'name,shoe size\nA,42\n')
  const odd = await gatehouse(['import', file, '--url', w.url], env)
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('unknown column "shoe size"')])
})
