import { readFile } from 'node:fs/promises'
import { parseCsv } from '@gatehouse-access/core'
import { type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, ended, fileOf, importFile, membersOf } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
})
beforeEach(async () => {
  tenant = await w.tenant()
  await tenant.client.sites.create({ name: 'Hotel', timezone: 'Europe/Berlin' })
})
afterAll(() => owned.disposeAsync())

/** The columns that the file in the folder `spreadsheets` has. Without ids, which differ from run to run. */
const columns = [
  'external_id',
  'name',
  'email',
  'groups',
  'starts_at',
  'ends_at',
  'language',
  'card_uid',
  'card_printed_code',
  'tags',
  'is_deleted',
  'metadata.phone',
  'metadata.note',
]

async function addPeople() {
  const { client } = tenant
  const ids: string[] = []
  for (const name of ['Gäste', 'Pool']) ids.push((await client.member_groups.create({ name })).id)
  const tag = await client.tags.create({ name: 'VIP, gold' })
  await client.cards.create({ printed_code: 'GH-000123' })
  const people = [
    {
      external_id: 'R-1001',
      member: {
        name: 'García, "Ana"',
        starts_at: '2026-12-01T14:00:00Z',
        ends_at: '2026-12-05T10:00:00.250000Z',
        language: 'es',
        tag_ids: [tag.id],
      },
      member_group_ids: ids,
      credentials: { emails: ['ana@example.com', 'ana@example.org'], card: { uid: '04A1B2C3' } },
    },
    {
      external_id: '4711',
      member: { name: '=1+1', metadata: { phone: '+49 30 123456', note: 'two\nlines, "quoted"' } },
      member_group_ids: [],
      credentials: { card: { printed_code: 'GH-000123' } },
    },
    {
      external_id: 'R-1003',
      member: { name: "O'Brien", metadata: { phone: '-', note: "'=x" } },
      member_group_ids: ids.slice(1),
    },
    { external_id: 'R-1004', member: { name: '@Straße 5; Hof' }, member_group_ids: [] },
    // A spreadsheet takes these two for numbers, and cannot keep them.
    { external_id: '412000000000123456', member: { name: 'Long number' }, member_group_ids: [] },
    {
      external_id: 'R-1006',
      member: { name: 'Zeros' },
      member_group_ids: [],
      credentials: { card: { uid: '00345678' } },
    },
  ]
  for (const person of people) await client.grants.create(person)
}

async function fixture(name: string) {
  return new Uint8Array(await readFile(new URL(`spreadsheets/${name}`, import.meta.url)))
}

test('the files of the spreadsheets were made of this export', async () => {
  await addPeople()
  const { id } = await tenant.client.exports.create({ kind: 'members', format: 'csv', columns })
  const text = await fileOf(tenant, await ended(tenant.client, id), 'members.csv')
  expect(text).toBe(Buffer.from(await fixture('exported.csv')).toString())
})

/**
 * `exported.csv`, opened and saved by LibreOffice Calc 7.4 (`soffice --headless --convert-to`): as CSV; by way of an
 * Excel workbook; with semicolons and every text in quotes, in Windows-1252; with tabs, in UTF-16.
 */
describe.each(['libreoffice.csv', 'workbook.csv', 'semicolons.csv', 'tabs.csv'])('%s', name => {
  test('changes nothing but refuses what the spreadsheet has altered', within(30), async () => {
    await addPeople()
    const before = await countEvents(tenant)
    const held = await membersOf(tenant)
    const job = await importFile(tenant, await fixture(name))
    const [, ...errors] = parseCsv(await fileOf(tenant, job, 'errors.csv')).map(({ cells }) => cells)
    expect(errors.map(cells => [cells[1], cells.at(-2)])).toEqual([
      ['Long number', 'external_id'],
      ['Zeros', 'card_uid'],
    ])
    expect(job.summary).toMatchObject({ unchanged: 4, created: 0, updated: 0 })
    expect(await countEvents(tenant)).toBe(before)
    expect(await membersOf(tenant)).toEqual(held)
  })
})

const text =
  'external_id,name,from,until,groups\nA,"Jürgen; ""J""",01.12.2026 15:00,2026-12-05,\nB,Łukasz,,,\n'
const semicolons = text.replaceAll(',', ';').replace('Jürgen;', 'Jürgen,')
const utf16 = (bytes: Buffer) => Buffer.concat([Buffer.from([0xff, 0xfe]), bytes])

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['semicolons and CRLF', Buffer.from(semicolons.replaceAll('\n', '\r\n'))],
  ['CR', Buffer.from(text.replaceAll('\n', '\r'))],
  ['tabs in UTF-16', utf16(Buffer.from(text.replaceAll(',', '\t'), 'utf16le'))],
  ['UTF-16 of the other order', Buffer.from(utf16(Buffer.from(text, 'utf16le'))).swap16()],
  ['no line end at the end, and empty rows', Buffer.from(`${text.trimEnd()}\n,,,,\n\n`)],
  ['a line that names the delimiter', Buffer.from(`sep=;\n${semicolons}`)],
])('what spreadsheets write is read alike: %s', async (_, bytes) => {
  const job = await importFile(tenant, new Uint8Array(bytes))
  expect(job).toMatchObject({ state: 'succeeded', summary: { created: 2 } })
  const members = await membersOf(tenant)
  expect(members.get('A')?.name?.replace(',', ';')).toBe('Jürgen; "J"')
  expect(members.get('A')).toMatchObject({
    starts_at: '2026-12-01T14:00:00.000000Z',
    ends_at: '2026-12-05T23:00:00.000000Z',
  })
  expect(members.get('B')?.name).toBe('Łukasz')
})

test('a date that a spreadsheet has turned into a number is refused, not guessed', async () => {
  const cells = ['46357', '46357.625', '"46357,625"', '1.12.26', '12/01/26', '01/12/2026', '#####', '#REF!']
  const rows = cells.map((cell, n) => `N${n},Ann,${cell}\n`)
  const job = await importFile(tenant, `external_id,name,until\n${rows.join('')}`, { dry_run: true })
  expect(job.progress).toMatchObject({ failed: cells.length, succeeded: 0 })
})
