import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { ended, fileOf, importFile, type Job } from '../imports/importing.ts'
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

test('a dry run that waits is canceled by the erasure of whom its file may name, and its file is removed', async () => {
  const { client } = tenant
  const inputsOf = async (job_id: string) =>
    (await w.server.context.db.query('SELECT 1 FROM job_inputs WHERE job_id = $1', [job_id])).length
  const grant = (external_id: string) =>
    client.grants.create({ external_id, member: { name: 'Ines' }, member_group_ids: [] })
  const held = await grant('R-7')
  const dry = (rows: string, head = 'external_id,name') =>
    importFile(tenant, `${head}\n${rows}\n`, { dry_run: true, timezone: 'Europe/Madrid' })
  const naming = await dry('R-7,Ines Ibarra')
  const refused = await dry('R-8,Ines,yesterday', 'external_id,name,starts_at')
  const withoutKey = await dry('Ines', 'name')
  // Only so many jobs may be made in a minute.
  w.clock.advance(61)
  const sameKey = await dry('R-9,Ines')
  const other = await dry('R-10,Joel')
  const later = await grant('R-9')
  for (const member of [held, later]) {
    const { id } = await client.erasures.create({ member_id: member.id })
    await workUntil(w, client, id, 'done')
  }
  for (const { id } of [naming, refused, withoutKey, sameKey]) {
    const job = await client.jobs.get(id)
    expect(job).toMatchObject({ state: 'canceled', can_start_until: null })
    expect(job.notices[0]).toContain('Somebody was erased whom the file may name')
    expect(await inputsOf(id)).toBe(0)
    await expect(client.jobs.start(id, { force: true })).rejects.toMatchObject({ type: 'job_state' })
  }
  expect(await inputsOf(other.id)).toBe(1)
  const started = await ended(client, (await client.jobs.start(other.id)).id)
  expect(started).toMatchObject({ state: 'succeeded', summary: { created: 1 } })
})

test('what is made while an erasure looks for what holds the member goes, too', async () => {
  const { client } = tenant
  w.clock.advance(61)
  const dry = await importFile(tenant, 'external_id,name\nR-20,Lena\n', { dry_run: true })
  const { id: member_id } = await client.grants.create({
    external_id: 'R-20',
    member: { name: 'Lena' },
    member_group_ids: [],
  })
  const scheduled_at = new Date(Date.parse(w.clock.now()) + 3_600_000).toISOString()
  const { id } = await client.erasures.create({ member_id, scheduled_at })
  w.clock.advance(3601)
  const { db, ...context } = w.server.context
  let made: Job | undefined
  const query = async (...asked: Parameters<typeof db.query>) => {
    const rows = await db.query(...asked)
    if (made || !asked[0].includes('AS is_late')) return rows
    w.clock.advance(90)
    made = await ended(client, (await client.exports.create({ kind: 'members', format: 'csv' })).id)
    // As if the dry run had gone on until now.
    return []
  }
  await tendErasures({ ...context, db: { ...db, query: query as typeof db.query } })
  expect(made).toMatchObject({ state: 'succeeded' })
  await workUntil(w, client, id, 'done')
  const [file] = made?.files ?? []
  await expect(client.jobs.file(made?.id ?? '', file?.name ?? '')).rejects.toMatchObject({ status: 410 })
  expect(await client.jobs.get(dry.id)).toMatchObject({ state: 'canceled' })
})

test('a bulk edit can be undone after an erasure; one that named the member can only be made anew', async () => {
  const { client } = tenant
  const [gone, other] = [
    await client.members.create({ name: 'Ida' }),
    await client.members.create({ name: 'Jon' }),
  ]
  const kind = 'members' as const
  const [ends_at, later] = ['2031-01-01T00:00:00.000000Z', '2032-01-01T00:00:00.000000Z']
  const wish = { kind, filter: { q: 'Jon' }, change: { ends_at }, expected_count: 1 }
  const edit = await ended(client, (await client.bulk.edit(wish)).id)
  expect((await client.members.get(other.id)).ends_at).toBe(ends_at)
  const named = { ids: [gone.id, other.id], change: { ends_at: later }, dry_run: true }
  const dry = await ended(client, (await client.bulk.edit({ kind, ...named })).id)
  const { id } = await client.members.erase(gone.id, {})
  await workUntil(w, client, id, 'done')
  await expect(client.jobs.start(dry.id, { force: true })).rejects.toMatchObject({ status: 410 })
  const undo = await ended(client, (await client.jobs.undo(edit.id, { dry_run: true })).id)
  await ended(client, (await client.jobs.start(undo.id)).id)
  expect((await client.members.get(other.id)).ends_at).toBe(null)
})

test('what an import keeps of the associations and cards of the member goes, too', async () => {
  const { client } = tenant
  const { id: member_id } = await client.members.create({ name: 'Kim' })
  const group = await client.member_groups.create({ name: 'Climbers' })
  const association = await client.member_group_associations.create(member_id, { member_group_id: group.id })
  const { card_id } = await client.member_cards.create(member_id, { uid: '04A1B2C3D4E5F8' })
  const file = `id,member_id,group,metadata.desk\n${association.id},${member_id},Climbers,Kim\n`
  const jobs = [
    await importFile(tenant, file, { kind: 'group_associations' }),
    await importFile(tenant, 'uid,name\n04A1B2C3D4E5F8,Kim\n', { kind: 'cards' }),
  ]
  const kept = async () => {
    const rows = await w.server.context.db.query<{ object_id: string }>(
      'SELECT object_id FROM job_rows WHERE job_id = ANY($1::text[]) AND detail_ciphertext IS NOT NULL ORDER BY object_id',
      [jobs.map(job => job.id)],
    )
    return rows.map(({ object_id }) => object_id)
  }
  expect(await kept()).toEqual([card_id, association.id].sort())
  const { id } = await client.erasures.create({ member_id, includes_cards: true })
  await workUntil(w, client, id, 'done')
  expect(await kept()).toEqual([])
})
