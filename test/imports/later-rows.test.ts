import type { ImportWish } from '@gatehouse-access/sdk'
import { type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import type { JobType } from '../../packages/server/src/services/jobs/job-type.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { ended, fileOf, importFile, type Job } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let runner: JobRunner
/** Called once a batch is done, before it is stored. */
let stop: (() => void) | undefined

const importing = present(jobTypes.import, 'the type of imports')
const type: JobType = {
  ...importing,
  async begin(run) {
    const work = await importing.begin(run)
    return {
      prepare: cursor => present(work.prepare?.(cursor), 'what reads rows'),
      async run(batch) {
        const result = await work.run(batch)
        stop?.()
        return result
      },
      get files() {
        return work.files ?? []
      },
    }
  },
}
const open = () => new JobRunner(w.server.context, { import: type })

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0, quotas: { member: 130, 'calendar.calendar_day': 4 } }))
  runner = open()
})
afterAll(async () => {
  await runner[Symbol.asyncDispose]()
  await owned.disposeAsync()
})

/** Rows that nothing depends on, but that end the batch of the rows before. */
const filler = (name: string, row: (key: string) => string, count = 110) =>
  Array.from({ length: count }, (_, index) => row(`${name}${index}`))

/** Tries a file and starts it. The start refuses the same rows for the same reasons, and does the same to the others. */
async function startAsShown(tenant: Tenant, rows: readonly string[], wish: ImportWish = {}): Promise<Job> {
  const dry = await importFile(tenant, rows.join('\n'), { ...wish, dry_run: true })
  const job = await ended(tenant.client, (await tenant.client.jobs.start(dry.id)).id)
  expect(await fileOf(tenant, job, 'errors.csv')).toBe(await fileOf(tenant, dry, 'errors.csv'))
  expect(job.summary).toEqual(dry.summary)
  return job
}

test(
  'a card and a PIN that earlier rows free or take are so for later rows, also of a dry run',
  within(60),
  async () => {
    const tenant = await w.tenant()
    const { client } = tenant
    const head = 'external_id,name,card_uid,pin,is_deleted'
    const held = [
      ...['A,Ana,04A1B2C1,40291837,', 'B,Bob,04A1B2C2,50382916,', 'C,Cem,04A1B2C3,60473825,'],
      ...['D,Dan,04A1B2C4,70564914,', 'E,Eve,04A1B2C5,81675023,'],
    ]
    await importFile(tenant, [head, ...held].join('\n'))
    await importFile(tenant, 'external_id,is_deleted\nD,yes\nE,yes\n')
    await importFile(tenant, [head, 'F,Fay,04A1B2C4,70564914,'].join('\n'))
    const file = [
      head,
      ...['A,,-,-,', 'B,,,,yes', 'F,,-,-,', 'G,Gil,04A1B2C5,,'],
      ...filler('X', key => `${key},Somebody,,,`),
      ...['H,Hal,04A1B2C1,40291837,', 'I,Ivo,04A1B2C2,50382916,', 'J,Jo,04A1B2C3,,', 'D,,,,no', 'E,,,,no'],
    ]
    const job = await startAsShown(tenant, file)
    expect(job).toMatchObject({ summary: { restored: 1, deleted: 1 }, progress: { failed: 2 } })
    expect((await client.cards.list({})).data).toHaveLength(5)
  },
)

test('a member that earlier rows take a key from is not found by it', within(60), async () => {
  const tenant = await w.tenant()
  await importFile(tenant, 'email,name\na@x.org;b@x.org,Ana\nc@x.org,Cem\n', { key: 'email' })
  const cem = await tenant.client.members.list({ q: 'Cem' })
  const id = cem.data[0]?.id
  const file = [
    'id,email,name,is_deleted',
    ...[',a@x.org,,', `${id},,,yes`],
    ...filler('x', key => `,${key}@x.org,Somebody,`),
    ...[',b@x.org,Ben,', ',c@x.org,Carl,'],
  ]
  const job = await startAsShown(tenant, file, { key: 'email' })
  expect(job.summary).toMatchObject({ updated: 1, deleted: 1, created: 112 })
})

test(
  'of rows about the same member, by its ID and by its key, the later one is refused',
  within(60),
  async () => {
    const tenant = await w.tenant()
    const { id } = await tenant.client.grants.create({
      external_id: 'A',
      member: { name: 'Ana' },
      member_group_ids: [],
    })
    const rows = filler('X', key => `,${key},Somebody`)
    for (const between of [[], rows]) {
      const job = await startAsShown(tenant, ['id,external_id,name', `${id},,Anna`, ...between, ',A,Anne'])
      expect(job.progress.failed).toBe(1)
      expect(await fileOf(tenant, job, 'errors.csv')).toContain('same as in line 2')
    }
    expect((await tenant.client.members.get(id)).name).toBe('Anna')
  },
)

test('a dry run counts what its earlier rows would take of quotas', within(60), async () => {
  const tenant = await w.tenant()
  const rows = filler('X', key => `${key},Somebody,`, 140)
  const job = await startAsShown(tenant, ['external_id,name,email', ...rows])
  expect(job).toMatchObject({ summary: { created: 130 }, progress: { failed: 10 } })
  await tenant.client.calendars.create({ name: 'Days' })
  const days = filler('D', key => `Nowhere,2027-01-01,${key}`)
  const far = ['Days,2027-02-01,B', ...days, ...filler('E', key => `Days,2027-03-01,${key}`, 5)]
  const put = await startAsShown(tenant, ['calendar,date,name', ...far], { kind: 'calendar_days' })
  expect(put.summary.created).toBe(4)
  const many = Array.from({ length: 300 }, (_, index) => `x${index}@x.org`).join(';')
  expect((await startAsShown(tenant, ['external_id,email', `X0,${many}`])).progress.failed).toBe(1)
})

test('rows that delete make room in a quota for later rows', within(60), async () => {
  const tenant = await w.tenant()
  const all = filler('X', key => `${key},`, 130)
  await importFile(tenant, ['external_id,is_deleted', ...all].join('\n'))
  const others = filler('X', key => `${key},`, 130).slice(10)
  const made = ['A,', 'B,', 'C,']
  const near = await startAsShown(tenant, ['external_id,is_deleted', 'X0,yes', 'X1,yes', ...made])
  expect(near).toMatchObject({ summary: { deleted: 2, created: 2 }, progress: { failed: 1 } })
  const far = ['X2,yes', 'X3,yes', ...others, 'D,', 'E,', 'F,']
  const job = await startAsShown(tenant, ['external_id,is_deleted', ...far])
  expect(job).toMatchObject({ summary: { deleted: 2, created: 2 }, progress: { failed: 1 } })

  const { id } = await tenant.client.calendars.create({ name: 'Days' })
  const head = 'calendar,date,name,is_deleted'
  const held = Array.from({ length: 4 }, (_, index) => `Days,2027-02-01,Day ${index},`)
  await importFile(tenant, [head, ...held].join('\n'), { kind: 'calendar_days' })
  const days = filler('D', key => `Nowhere,2027-01-01,${key},`)
  const put = [head, 'Days,2027-02-01,Day 0,yes', ...days, 'Days,2027-03-01,A,', 'Days,2027-03-01,B,']
  const moved = await startAsShown(tenant, put, { kind: 'calendar_days' })
  expect(moved).toMatchObject({ summary: { deleted: 1, created: 1 }, progress: { failed: 111 } })
  expect((await tenant.client.calendar_days.list(id, {})).data).toHaveLength(4)
})

test.each(['email', 'card_uid', 'metadata.code'])(
  'a member that an earlier row restores is found by %s, near and far',
  within(60),
  async key => {
    const tenant = await w.tenant()
    const { client } = tenant
    const [old, other] = key === 'card_uid' ? ['04A1B2D1', '04A1B2D2'] : ['old@x.org', 'other@x.org']
    for (const between of [0, 110]) {
      await importFile(tenant, `${key},name\n${old},Ana\n`, { key })
      const { data } = await client.members.list({ q: 'Ana' })
      const id = data[0]?.id ?? ''
      await client.members.delete(id)
      const rows = filler('', n => `,,Somebody ${n},`, between)
      const file = [`id,${key},name,is_deleted`, `${id},,,no`, ...rows, `,${old},Anna,`, `,${other},Bob,`]
      const job = await startAsShown(tenant, file, { key })
      expect(await fileOf(tenant, job, 'errors.csv')).toContain('same as in line 2')
      expect(job.summary).toMatchObject({ restored: 1 })
      await client.members.delete(id)
    }
  },
)

test(
  'the start of a dry run spends none of what the dry run has spent on PINs that are taken',
  within(60),
  async () => {
    const tenant = await w.tenant()
    const rows = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${prefix}${n},${40_291_837 + 137 * n}`)
    await importFile(tenant, ['external_id,pin', ...rows('H', 22)].join('\n'))
    const job = await startAsShown(tenant, ['external_id,pin', 'A,71403956', ...rows('N', 15), 'B,82514067'])
    expect(job).toMatchObject({ summary: { created: 2 }, progress: { failed: 15 } })
    const more = ['external_id,pin', 'C,60381745', ...rows('O', 7), 'D,93625178']
    expect(await startAsShown(tenant, more)).toMatchObject({
      summary: { created: 1 },
      progress: { failed: 8 },
    })
  },
)

test('a refused PIN counts once, also of a row that waits for one before it', within(60), async () => {
  const tenant = await w.tenant()
  await importFile(tenant, 'external_id,pin\nA,40291837\nB,50382916\nC,60473825\n')
  await importFile(tenant, 'external_id,is_deleted\nC,yes\n')
  await startAsShown(tenant, ['external_id,pin,is_deleted', 'A,,yes', 'C,50382916,no'])
  const { db } = w.server.context
  const of = [tenant.organization_id]
  expect(await db.query('SELECT 1 FROM pin_lookups WHERE organization_id = $1', of)).toHaveLength(1)
})

test('a dry run counts the PINs that its earlier rows would take of a length', within(120), async () => {
  await using large = await world({ rate_limit: 0 })
  await using _ = new JobRunner(large.server.context, jobTypes)
  const rows = Array.from({ length: 505 }, (_, index) => `X${index},${2113 + index * 7}`)
  const job = await startAsShown(await large.tenant(), ['external_id,pin', ...rows])
  expect(job).toMatchObject({ summary: { created: 500 }, progress: { failed: 5 } })
})

test(
  'of days and associations with the same key the later ones are refused, however far apart',
  within(60),
  async () => {
    const tenant = await w.tenant()
    const { client } = tenant
    const { id } = await client.member_groups.create({ name: 'Pool' })
    const people = filler('M', key => `${key},Somebody`)
    await importFile(tenant, ['external_id,name', ...people].join('\n'))
    const kind = 'group_associations'
    const file = [
      'member,group,until',
      ...['M1,Pool,2026-12-05', `M1,${id},2026-12-20`],
      ...filler('M', key => `${key},Pool,`).slice(2),
      'M1,pool,2026-12-21',
    ]
    const job = await startAsShown(tenant, file, { kind, timezone: 'UTC' })
    expect(job).toMatchObject({ summary: { created: 109 }, progress: { failed: 2 } })
    const errors = await fileOf(tenant, job, 'errors.csv')
    expect(errors.match(/,group,The value is the same as in line 2/g)).toHaveLength(2)

    const calendar = await client.calendars.create({ name: 'Closures' })
    const days = ['Closures,2026-12-24,Eve,,', 'closures,24.12.2026,Eve,,', 'Closures,2026-12-24,Party,,']
    const first = await startAsShown(tenant, ['calendar,date,name,until,id', ...days], {
      kind: 'calendar_days',
    })
    expect(first).toMatchObject({ summary: { created: 2 }, progress: { failed: 1 } })
    const { data } = await client.calendar_days.list(calendar.id, { q: 'Eve' })
    expect(data).toHaveLength(1)
    const moved = [
      `Closures,2026-12-23,,,${data[0]?.id}`,
      ...filler('D', key => `Nowhere,2027-01-01,${key},,`),
    ]
    const again = ['calendar,date,name,until,id', ...moved, 'Closures,2026-12-24,Eve,,']
    const both = [...again, 'Closures,2026-12-23,Eve,,']
    const second = await startAsShown(tenant, both, { kind: 'calendar_days' })
    expect(second.summary).toMatchObject({ updated: 1, created: 1 })
    expect(await fileOf(tenant, second, 'errors.csv')).toMatch(/2026-12-23,Eve,.*same as in line 2/)
  },
)

test('what an earlier row restores by its ID is there for later rows', within(60), async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const refused = async (rows: readonly string[], wish: ImportWish) => {
    const job = await startAsShown(tenant, rows, wish)
    expect(job.summary).toMatchObject({ restored: 1 })
    expect(await fileOf(tenant, job, 'errors.csv')).toContain('same as in line 2')
  }
  const card = await client.cards.create({ uid: '04A1B2E1', printed_code: 'GH-1' })
  await client.cards.delete(card.id)
  const cards = filler('', key => `,04B1C2D3${key.padStart(6, '0')},,`)
  const first = ['id,uid,printed_code,is_deleted', `${card.id},,,no`]
  await refused([...first, ...cards, ',,GH-1,'], { kind: 'cards' })

  const calendar = await client.calendars.create({ name: 'Closures' })
  const day = await client.calendar_days.create(calendar.id, { starts_on: '2026-12-24', kind: 'closed' })
  await client.calendar_days.delete(calendar.id, day.id)
  const days = filler('D', key => `,Nowhere,2027-01-01,${key},`)
  const put = ['id,calendar,date,name,is_deleted', `${day.id},,,,no`, ...days, ',Closures,2026-12-24,,']
  await refused(put, { kind: 'calendar_days' })

  const { id: group } = await client.member_groups.create({ name: 'Pool' })
  const { id: member } = await client.grants.create({
    external_id: 'M',
    member: {},
    member_group_ids: [],
  })
  const { id } = await client.member_group_associations.create(member, { member_group_id: group })
  await client.member_group_associations.delete(member, id)
  const people = filler('N', key => `,${key},Pool,`)
  const join = ['id,member,group,is_deleted', `${id},,,no`, ...people, ',M,Pool,']
  await refused(join, { kind: 'group_associations' })
})

test('an import of all rows or none sees what its check has only tried as it was', within(60), async () => {
  const tenant = await w.tenant()
  await importFile(tenant, 'external_id,name,card_uid\nM,Mia,04A1B2F1\n')
  await importFile(tenant, 'external_id,is_deleted\nM,yes\n')
  await importFile(tenant, 'external_id,name,card_uid\nA,Ann,04A1B2F1\n')
  const { data } = await tenant.client.members.list({ external_id: 'M', is_deleted: 'any' })
  const rows = ['id,card_uid,is_deleted', ',04A1B2F1,yes', `${data[0]?.id},,no`]
  const job = await importFile(tenant, rows.join('\n'), { key: 'card_uid', on_row_error: 'rollback' })
  expect(job).toMatchObject({ state: 'succeeded', summary: { deleted: 1, restored: 1 } })
})

test('the start of a dry run tells nothing of PINs that it has not looked up', within(60), async () => {
  const tenant = await w.tenant()
  const { client } = tenant
  const rows = (prefix: string) =>
    Array.from({ length: 22 }, (_, n) => `${prefix}${n},Somebody,${40_291_837 + 137 * n}`).join('\n')
  await importFile(tenant, `external_id,name,pin\n${rows('H')}`)
  const wanted = `external_id,name,pin\n${rows('N')}`
  const dry = await importFile(tenant, wanted, { dry_run: true })
  expect(dry.progress.failed).toBe(22)
  const [last] = (await client.members.list({ external_id: 'H21' })).data
  const [pin] = (await client.member_pins.list(last?.id ?? '')).data
  await client.member_pins.delete(last?.id ?? '', pin?.id ?? '')
  const started = await client.jobs.start(dry.id)
  expect(await ended(client, started.id)).toMatchObject({ progress: { failed: 22 } })
})

test('a dry run that another process goes on with still knows of its earlier rows', within(60), async () => {
  const tenant = await w.tenant()
  await importFile(tenant, 'external_id,card_uid\nA,04A1B2C1\n')
  const stopped = Promise.withResolvers<void>()
  stop = () => {
    stop = undefined
    stopped.resolve(runner[Symbol.asyncDispose]())
  }
  const rows = filler('X', key => `${key},`)
  const file = ['external_id,card_uid', 'A,-', ...rows, 'B,04A1B2C1'].join('\n')
  const { id } = await tenant.client.imports.create(file, { dry_run: true })
  await stopped.promise
  expect(await tenant.client.jobs.get(id)).toMatchObject({ state: 'running', progress: { done: 50 } })
  const countOwn = () =>
    w.server.context.db.query(`SELECT 1 FROM job_files WHERE job_id = $1 AND name = 'foreseen'`, [id])
  expect(await countOwn()).not.toEqual([])
  runner = open()
  expect(await ended(tenant.client, id)).toMatchObject({ progress: { failed: 0 }, summary: { created: 111 } })
  expect(await countOwn()).toEqual([])
})
