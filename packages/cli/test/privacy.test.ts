import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tendErasures } from '../../server/src/services/erasures/tend-erasures.ts'
import { jobTypes } from '../../server/src/services/job-types.ts'
import { JobRunner } from '../../server/src/services/jobs/run-jobs.ts'
import { gatehouse } from './gatehouse.ts'

const owned = new AsyncDisposableStack()
let w: World
beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
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

test('a member is erased with --yes only, and the command waits until that is done', async () => {
  const { client, organization_id } = await w.tenant('Hotel')
  const { id } = await client.members.create({ name: 'Quetzal' })
  const ask = ['erase', id, '--reference', 'CASE-7', '--organization', organization_id]
  expect(await say(...ask)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/would be erased. Add --yes.\n$/),
  })
  expect((await client.members.get(id)).name).toBe('Quetzal')
  expect(await say('erase', id, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--reference'),
  })
  const saying = say(...ask, '--yes')
  await expect
    .poll(async () => {
      w.clock.advance(4)
      await tendErasures(w.server.context)
      return (await client.erasures.list({})).data[0]?.state
    })
    .toBe('done')
  const said = await saying
  expect(said).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ers_\w+ is done: .* Receipt \w+\.\n$/),
  })
  const erased = await client.members.get(id)
  expect(erased).toMatchObject({ name: null, is_deleted: true })
  expect(erased.erased_at).not.toBeNull()
})

test('an event that a legal hold covers is not emptied', async () => {
  const { client, organization_id } = await w.tenant('Court')
  const { id } = await client.members.create({ name: 'Held' })
  const { db, clock } = w.server.context
  const [event] = (await client.events.list({ 'object.member_id': id })).data
  const event_id = event?.id ?? ''
  await expect
    .poll(() => db.query('SELECT 1 FROM audit_links WHERE event_id = $1', [event_id]))
    .toHaveLength(1)
  await db.query(
    `INSERT INTO legal_holds (id, organization_id, name, member_ids, expires_at, is_deleted, created_at, metadata, search_text)
     VALUES ('lh_00000000000000000000', $1, 'Case 12', ARRAY[$2], $3::timestamptz + interval '1 year', false, $3, '{}', '')`,
    [organization_id, id, clock.now()],
  )
  const erase = () =>
    gatehouse(['audit', 'erase', event_id, '--by', 'Ada', '--reason', 'a request'], {
      DATABASE_URL: w.database_url,
    })
  expect(await erase()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/legal hold lh_0+ \(Case 12\) until .*: an owner has to end it first/),
  })
  expect((await client.events.get(event_id)).object.member_id).toBe(id)
  await db.query('UPDATE legal_holds SET is_deleted = true WHERE organization_id = $1', [organization_id])
  expect(await erase()).toMatchObject({ stdout: `Event ${event_id} is erased.\n` })
})
