import { manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, ended, fileOf, importFile } from './importing.ts'
import { addOddPeople } from './odd-people.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

type ExportBody = Parameters<Tenant['client']['exports']['create']>[0]

async function exported(body: ExportBody): Promise<string> {
  const job = await ended(tenant.client, (await tenant.client.exports.create(body)).id)
  expect(job).toMatchObject({ state: 'succeeded' })
  return fileOf(tenant, job, job.files[0]?.name ?? '')
}

/** Expects that a file changes nothing, neither tried nor imported. */
async function expectNothing(
  text: string,
  kind: 'members' | 'cards' | 'calendar_days' | 'group_associations',
  rows: number,
) {
  const format = text.startsWith('{') ? ('ndjson' as const) : ('csv' as const)
  const before = await countEvents(tenant)
  for (const dry_run of [true, false]) {
    const job = await importFile(tenant, text, { kind, dry_run, format })
    const problems = job.progress.failed > 0 ? await fileOf(tenant, job, 'errors.csv') : ''
    const changes = dry_run ? await fileOf(tenant, job, 'diff.ndjson') : ''
    expect([job.progress.done, problems, changes, job.summary.unchanged]).toEqual([rows, '', '', rows])
  }
  expect(await countEvents(tenant)).toBe(before)
}

test.each(Array.from({ length: manyOr(1) }, (_, seed) => seed + 1))(
  'an export of members changes nothing when it is imported again, whatever they are called (%i)',
  within(60),
  async seed => {
    const count = 30
    await addOddPeople(tenant, count, seed)
    const streamed = await fetch(`${w.url}/v2/members/export?format=csv`, {
      headers: { authorization: `Bearer ${tenant.token}` },
    })
    await expectNothing(await streamed.text(), 'members', count)
    const columns = [
      'id',
      'external_id',
      'name',
      'starts_at',
      'ends_at',
      'language',
      'tag_ids',
      'metadata',
      'erased_at',
    ]
    await expectNothing(await exported({ kind: 'members', format: 'csv', columns }), 'members', count)
    await expectNothing(
      await exported({
        kind: 'members',
        format: 'csv',
        columns: ['external_id', 'metadata', 'email', 'groups'],
      }),
      'members',
      count,
    )
    await expectNothing(await exported({ kind: 'members', format: 'ndjson' }), 'members', count)
  },
)

test('an export with as many columns as one can have is imported again', within(60), async () => {
  const { client } = tenant
  const keys = Array.from({ length: 500 }, (_, n) => `k${n}`)
  for (let at = 0; at < 500; at += 100) {
    const metadata = Object.fromEntries(keys.slice(at, at + 100).map(key => [key, 'x']))
    await client.grants.create({ external_id: `M${at}`, member: { metadata }, member_group_ids: [] })
  }
  await expectNothing(await exported({ kind: 'members', format: 'csv' }), 'members', 5)
})

test('cards, days and associations come back unchanged, too', within(60), async () => {
  const { client } = tenant
  await client.sites.create({ name: 'Hotel', timezone: 'Europe/Berlin' })
  await client.cards.create({ uid: '04A1B2C3', name: '=One', metadata: { box: '3, "b"' } })
  await client.cards.create({ printed_code: 'GH-7' })
  const calendar = await client.calendars.create({ name: 'Holidays' })
  await client.calendar_days.create(calendar.id, {
    starts_on: '2026-12-25',
    name: 'Christmas',
    recurrence: 'yearly',
  })
  await client.calendar_days.create(calendar.id, {
    starts_on: '2026-12-30',
    ends_on: '2027-01-02',
    is_public: true,
  })
  const group = await client.member_groups.create({ name: 'Pool' })
  const { id } = await client.members.create({ name: 'Ann' })
  await client.member_group_associations.create(id, {
    member_group_id: group.id,
    ends_at: '2031-01-01T00:00:00.000001Z',
    metadata: { by: '-' },
  })
  for (const format of ['csv', 'ndjson'] as const) {
    await expectNothing(await exported({ kind: 'cards', format }), 'cards', 2)
    await expectNothing(await exported({ kind: 'calendar_days', format }), 'calendar_days', 2)
    await expectNothing(
      await exported({ kind: 'member_group_associations', format }),
      'group_associations',
      1,
    )
  }
})

test('what is gone but still named by a member stays as it is', within(60), async () => {
  const { client } = tenant
  const [pool, sauna] = [
    await client.member_groups.create({ name: 'Pool' }),
    await client.member_groups.create({ name: 'Sauna' }),
  ]
  const [vip, blue] = [await client.tags.create({ name: 'vip' }), await client.tags.create({ name: 'blue' })]
  await client.grants.create({
    external_id: 'A',
    member: { name: '-', tag_ids: [vip.id, blue.id] },
    member_group_ids: [pool.id, sauna.id],
    credentials: { card: { uid: '04A1B2C3' } },
  })
  await client.member_groups.delete(sauna.id).catch(() => undefined)
  await client.tags.delete(blue.id).catch(() => undefined)
  const [card] = (await client.cards.list({})).data
  await client.cards.delete(card?.id ?? '').catch(() => undefined)
  await expectNothing(await exported({ kind: 'members', format: 'csv' }), 'members', 1)
})
