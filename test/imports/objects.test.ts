import type { ImportKind } from '@gatehouse-access/api'
import { etagOf } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, diffOf, ended, fileOf, importFile } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
  await tenant.client.sites.create({ name: 'Hotel', timezone: 'Europe/Berlin' })
})
afterAll(() => owned.disposeAsync())

test('cards are made, changed and deleted, and an undo sets them back', async () => {
  const kind = 'cards'
  const file = 'uid;printed_code;name\n04A1B2C3;GH-1;One\n04a1b2c4;GH-2;Two\n04A1B2;GH-3;\n04A1B2C5;GH-1;\n'
  const first = await importFile(tenant, file, { kind })
  expect(first).toMatchObject({ summary: { created: 2 }, progress: { failed: 2 } })
  expect(await fileOf(tenant, first, 'errors.csv')).toContain('same as in line 2')
  const before = await countEvents(tenant)
  const again = await importFile(tenant, 'Karte;name\n04A1B2C3;One\n', { kind })
  expect(again.summary).toMatchObject({ unchanged: 1 })
  expect(await countEvents(tenant)).toBe(before)
  const change = 'uid,name,is_deleted\n04A1B2C3,Eins,\n04A1B2C4,,yes\n'
  const dry = await importFile(tenant, change, { kind, dry_run: true })
  expect(await diffOf(tenant, dry)).toMatchObject([
    { outcome: 'updated', before: { name: 'One' }, after: { name: 'Eins' } },
    { outcome: 'deleted' },
  ])
  expect((await tenant.client.cards.list({ q: 'Eins' })).data).toEqual([])
  const job = await importFile(tenant, change, { kind })
  expect(job.summary).toMatchObject({ updated: 1, deleted: 1 })
  const undo = await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(undo).toMatchObject({ state: 'succeeded', summary: { updated: 1, restored: 1 } })
  const { data } = await tenant.client.cards.list({ sort: 'uid:asc' })
  expect(data.map(({ name }) => name)).toEqual(['One', 'Two'])
})

test('an undo takes away metadata that was added, and sets back what was restored', async () => {
  const kind = 'cards'
  const { client } = tenant
  const plain = await client.cards.create({ uid: '04A1B2D1', name: 'Plain' })
  const gone = await client.cards.create({ uid: '04A1B2D2', name: 'Gone', metadata: { box: '1' } })
  await client.cards.delete(gone.id)
  const etags = async () => {
    const held = await Promise.all([plain, gone].map(({ id }) => client.cards.get(id)))
    return held.map(card => etagOf(card))
  }
  const before = await etags()
  const file = `id,uid,name,metadata.box,metadata.lid\n${plain.id},04A1B2D1,Plain,3,\n${gone.id},04A1B2D2,Back,,yes\n`
  const job = await importFile(tenant, file, { kind })
  expect(job.summary).toMatchObject({ updated: 1, restored: 1 })
  const undo = await ended(client, (await client.jobs.undo(job.id)).id)
  expect(undo).toMatchObject({ state: 'succeeded', summary: { updated: 1, deleted: 1 } })
  expect(await client.cards.get(plain.id)).toMatchObject({ metadata: {} })
  expect(await client.cards.get(gone.id)).toMatchObject({
    name: 'Gone',
    is_deleted: true,
    metadata: { box: '1' },
  })
  expect(await etags()).toEqual(before)
})

test('an undo does not bring back what somebody has made again', async () => {
  const { client } = tenant
  const group = await client.member_groups.create({ name: 'Crew' })
  const member = await client.members.create({ name: 'A' })
  const join = () => client.member_group_associations.create(member.id, { member_group_id: group.id })
  const { id } = await join()
  const job = await importFile(tenant, `id,is_deleted\n${id},yes\n`, { kind: 'group_associations' })
  expect(job.summary).toMatchObject({ deleted: 1 })
  const again = await join()
  const undo = await ended(client, (await client.jobs.undo(job.id)).id)
  expect(undo.notices).toEqual([`Line 2: ${id} has changed since, and is left as it is.`])
  const { data } = await client.member_group_associations.list(member.id)
  expect(data).toMatchObject([{ id: again.id }])
})

test('days find their calendar by its name, associations their member and group', async () => {
  const { id } = await tenant.client.calendars.create({ name: 'Feiertage' })
  const days =
    'Kalender;Datum;Name;Art\nFeiertage;25.12.2026;Weihnachten;holiday\nAndere;26.12.2026;;\nFeiertage;31.02.2026;;\n'
  const job = await importFile(tenant, days, { kind: 'calendar_days' })
  expect(job).toMatchObject({ summary: { created: 1 }, progress: { failed: 2 } })
  const held = await tenant.client.calendar_days.list(id, {})
  expect(held.data).toMatchObject([{ starts_on: '2026-12-25', name: 'Weihnachten' }])
  expect((await importFile(tenant, days, { kind: 'calendar_days' })).summary).toMatchObject({ unchanged: 1 })

  const group = await tenant.client.member_groups.create({ name: 'Pool' })
  const member = await tenant.client.grants.create({
    external_id: 'M1',
    member: { name: 'A' },
    member_group_ids: [],
  })
  const rows = 'member,group,from,until\nM1,pool,2026-12-01,2026-12-03\nM2,Pool,,\nM1,Sauna,,\n'
  const put = await importFile(tenant, rows, { kind: 'group_associations' })
  expect(put).toMatchObject({ summary: { created: 1 }, progress: { failed: 2 } })
  const associations = await tenant.client.member_group_associations.list(member.id, {})
  expect(associations.data).toMatchObject([
    { member_group_id: group.id, ends_at: '2026-12-03T23:00:00.000000Z' },
  ])
  const moved = await importFile(tenant, 'member,group,until\nM1,Pool,2026-12-05\n', {
    kind: 'group_associations',
  })
  expect(moved.summary).toMatchObject({ updated: 1 })
})

test('a card, day or association that somebody else makes between dry run and start is noticed', async () => {
  const { client } = tenant
  const calendar = await client.calendars.create({ name: 'Closures' })
  const group = await client.member_groups.create({ name: 'Gym' })
  const member = await client.members.create({ name: 'Gus' })
  const moved = async (kind: ImportKind, file: string, meanwhile: () => Promise<unknown>) => {
    const dry = await importFile(tenant, file, { kind, dry_run: true })
    expect(dry.summary).toMatchObject({ created: 1 })
    await meanwhile()
    await expect(client.jobs.start(dry.id)).rejects.toMatchObject({ status: 412 })
  }
  const card = 'uid,printed_code\n04C0FFEE,GH-77\n'
  await moved('cards', card, () => client.cards.create({ printed_code: 'GH-77' }))
  const day = 'calendar,starts_on,name\nClosures,2026-12-24,Eve\n'
  await moved('calendar_days', day, () =>
    client.calendar_days.create(calendar.id, { starts_on: '2026-12-24', name: 'Eve' }),
  )
  await moved('group_associations', `member,group\n${member.id},Gym\n`, () =>
    client.member_group_associations.create(member.id, { member_group_id: group.id }),
  )
  const other = 'uid\n04C0FFEF\n'
  const dry = await importFile(tenant, other, { kind: 'cards', dry_run: true })
  await client.cards.create({ uid: '04C0FFF0' })
  const started = await ended(client, (await client.jobs.start(dry.id)).id)
  expect(started.summary).toMatchObject({ created: 1 })
})
