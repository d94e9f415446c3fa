import { parseCsv } from '@gatehouse-access/core'
import type { ImportWish } from '@gatehouse-access/sdk'
import { Chance, seed, soak, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, fileOf, importFile, type Job, membersOf } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
  await tenant.client.sites.create({ name: 'Hotel', timezone: 'Europe/Berlin' })
  for (const name of ['Gäste', 'Pool']) await tenant.client.member_groups.create({ name })
})
afterAll(() => owned.disposeAsync())

const count = 10_000
const head = 'Kennung;Nachname;E-Mail;Gruppen;gültig ab;gültig bis;PIN;Karte'

function good(n: number): string {
  return `R${n};Müller ${n};m${n}@example.com;"Gäste; Pool";01.12.2026 15:00;05.12.2026 11:00;${10_000_019 + n * 137};`
}

/** A row with a fault of one of twelve kinds, and the column that it is in. */
const faults: readonly ((n: number) => readonly [row: string, column: string])[] = [
  n => [`R${n};A;kein@;;;;;`, 'E-Mail'],
  n => [`R${n};A;;Unbekannt;;;;`, 'Gruppen'],
  n => [`R${n};A;;;29.03.2026 02:30;;;`, 'gültig ab'],
  n => [`R${n};A;;;05.12.2026;04.12.2026;;`, 'gültig bis'],
  n => [`R${n};A;;;;bald;;`, 'gültig bis'],
  () => ['"4,12E+11";A;;;;;;', 'Kennung'],
  n => [`R${n};A;;;;;4711;`, 'PIN'],
  n => [`R${n};A;;;;;12ab5678;`, 'PIN'],
  () => ['R1;A;;;;;;', 'Kennung'],
  n => [`R${n};A;;;;;;04A1`, 'Karte'],
  n => [`R${n};A`, ''],
  n => [`R${n};"A"x;;;;;;`, ''],
]

function makeFile() {
  const expected: (readonly [string, string])[] = []
  const rows = Array.from({ length: count }, (_, index) => {
    const n = index + 1
    const isFaulty = n > 100 && n % 267 === 0 && expected.length < 37
    if (!isFaulty) return good(n)
    const [row, column] = faults[expected.length % faults.length]?.(n) ?? ['', '']
    expected.push([String(n + 1), column])
    return row
  })
  return { text: [head, ...rows].join('\r\n'), expected }
}

/** Expects of some rows what they say, and that the faulty ones have made nobody. */
async function expectImported(faulty: ReadonlySet<number>): Promise<void> {
  const members = await membersOf(tenant)
  const groups = (await tenant.client.member_groups.list({})).data.map(({ id }) => id)
  const chance = new Chance(seed)
  const whole = Array.from({ length: count }, (_, index) => index + 1).filter(n => !faulty.has(n))
  expect(new Set(members.keys())).toEqual(new Set(whole.map(n => `R${n}`)))
  for (let looked = 0; looked < 20; looked++) {
    const n = whole[chance.whole(0, whole.length - 1)] ?? 0
    const member = members.get(`R${n}`)
    expect(member).toMatchObject({
      external_id: `R${n}`,
      name: `Müller ${n}`,
      starts_at: '2026-12-01T14:00:00.000000Z',
      ends_at: '2026-12-05T10:00:00.000000Z',
      emails: [{ email: `m${n}@example.com` }],
      pins: [{ length: 8 }],
      cards: [],
      is_deleted: false,
    })
    expect(member?.group_associations.map(({ member_group_id }) => member_group_id).toSorted()).toEqual(
      groups.toSorted(),
    )
    const [pin] = member?.pins ?? []
    const revealed = await tenant.client.member_pins.reveal(member?.id ?? '', pin?.id ?? '')
    expect(revealed).toMatchObject({ pin: String(10_000_019 + n * 137) })
  }
}

/** Imports the file, and returns its job and the seconds that it took. */
async function timed(bytes: Uint8Array<ArrayBuffer>, wish: ImportWish = {}): Promise<[Job, number]> {
  const begun = performance.now()
  const job = await importFile(tenant, bytes, wish, 1000)
  return [job, Math.round((performance.now() - begun) / 100) / 10]
}

soak(
  '10,000 rows with 37 faults of 12 kinds: the rest is imported, and again without a change',
  within(600),
  async () => {
    const { text, expected } = makeFile()
    expect(expected).toHaveLength(37)
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
    const [dry, trying] = await timed(bytes, { dry_run: true })
    expect(dry.summary).toMatchObject({ created: count - 37 })
    const [job, importing] = await timed(bytes)
    console.log(`seconds: dry run ${trying}, import ${importing}`)
    expect(job.progress).toEqual({ total: count, done: count, succeeded: count - 37, failed: 37, skipped: 0 })
    const errors = parseCsv(await fileOf(tenant, job, 'errors.csv')).slice(1)
    expect(errors.map(({ cells }) => cells.slice(-3, -1))).toEqual(expected)
    // The head line is the first.
    await expectImported(new Set(expected.map(([line]) => Number(line) - 1)))
    const before = await countEvents(tenant)
    const [again, unchanged] = await timed(bytes)
    console.log(`seconds: unchanged ${unchanged}`)
    expect(again.summary).toMatchObject({ created: 0, updated: 0, unchanged: count - 37 })
    expect(await countEvents(tenant)).toBe(before)
  },
)
