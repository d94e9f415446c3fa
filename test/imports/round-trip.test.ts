import { manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, ended, fileOf, importFile } from './importing.ts'

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

/** Texts that are hard on CSV: delimiters, quotes, line ends, formulas, apostrophes, spaces, other scripts. */
const odd = fc.string({
  unit: fc.constantFrom(...`,;"'=+-@ aä😀0\t\n\r.|/{}`, '\u00a0', 'ß', '漢'),
  minLength: 1,
  maxLength: 12,
})
const label = odd.map(text => text.replaceAll(/[\t\n\r]/g, '_')).filter(text => text.trim() !== '-')
const member = fc.record({
  name: fc.option(label),
  metadata: fc.dictionary(fc.oneof(fc.constantFrom('floor', 'a.b', 'note', 'source'), label), odd, {
    maxKeys: 4,
  }),
  starts_at: fc.option(fc.constantFrom('2031-01-01T00:00:00.123456Z', '2031-06-01T10:30:00Z')),
  ends_at: fc.option(fc.constantFrom('2032-01-01T00:00:00Z', '2033-06-01T10:30:00.5Z')),
  language: fc.option(fc.constantFrom('de', 'pt-BR')),
})
const grant = fc.record({
  member,
  // A blank cell is an empty one.
  external_id: label.filter(text => text.trim() !== ''),
  groups: fc.subarray([0, 1, 2]),
  tags: fc.subarray([0, 1]),
  emails: fc.subarray(['a@example.com', "o'brien+x@example.org"]),
})

test.each(Array.from({ length: manyOr(1) }, (_, seed) => seed + 1))(
  'an export of members changes nothing when it is imported again, whatever they are called (%i)',
  within(60),
  async seed => {
    const { client } = tenant
    const [groups, tags] = [
      fc.sample(label, { seed, numRuns: 3 }),
      fc.sample(label, { seed: -seed, numRuns: 2 }),
    ]
    const groupIds: string[] = []
    for (const name of groups) groupIds.push((await client.member_groups.create({ name })).id)
    const tagIds: string[] = []
    for (const [index, name] of tags.entries())
      tagIds.push((await client.tags.create({ name: `${name}${index}` })).id)
    const grants = fc.sample(
      fc.uniqueArray(grant, { selector: one => one.external_id.trim(), minLength: 30, maxLength: 30 }),
      {
        seed,
        numRuns: 1,
      },
    )[0]
    await client.bulk(
      (grants ?? []).map(({ external_id, member, groups, tags, emails }, index) => ({
        method: 'POST',
        path: '/grants',
        body: {
          external_id,
          member: { ...member, tag_ids: tags.map(at => tagIds[at]) },
          member_group_ids: groups.map(at => groupIds[at]),
          credentials: { emails, ...(index % 3 === 0 && { card: { uid: `04A1B2${10 + index}` }, pin: {} }) },
        },
      })),
      { atomic: true },
    )
    const count = grants?.length ?? 0
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
