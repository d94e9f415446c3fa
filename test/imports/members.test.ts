import { parseCsv } from '@gatehouse-access/core'
import { etagOf } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { countEvents, diffOf, ended, fileOf, importFile, type MemberWithAll, membersOf } from './importing.ts'

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

async function groups(...names: string[]) {
  const made = []
  for (const name of names) made.push(await tenant.client.member_groups.create({ name }))
  return made
}

test('a German file in Windows-1252 is understood; each fault is told with its line and column, and the rest is imported', async () => {
  await groups('Gäste', 'Pool')
  const head = 'Kennung;Vorname;Nachname;E-Mail;Gruppen;gültig ab;gültig bis;PIN;Karte'
  const good = (n: number) =>
    `R${n};Jürgen;Müller ${n};m${n}@example.com;"Gäste; Pool";01.12.2026 15:00;05.12.2026;${100700 + n * 13};`
  const rows = [
    good(2),
    'R3;A;B;kein@;Gäste;;;;',
    'R4;A;B;;Unbekannt;;;;',
    'R5;A;B;;;29.03.2026 02:30;;;',
    'R6;A;B;;;05.12.2026;04.12.2026;;',
    '"4,12E+11";A;B;;;;;;',
    'R8;A;B;;;;;4711;',
    'R2;A;B;;;;;;',
    'R10;A;B;;;;;;04A1',
    'R11;A;B',
    'R12;A;"B"x;;;;;;',
    `R13;A;${'x'.repeat(300)};;;;;;`,
    good(14),
  ]
  const job = await importFile(tenant, new Uint8Array(Buffer.from([head, ...rows].join('\r\n'), 'latin1')))
  expect(job).toMatchObject({
    state: 'partly_succeeded',
    progress: { total: 13, done: 13, succeeded: 2, failed: 11, skipped: 0 },
    summary: { created: 2, credentials_created: 4 },
    error: null,
  })
  expect(job.notices[0]).toContain('Windows-1252')
  const errors = parseCsv(await fileOf(tenant, job, 'errors.csv')).map(({ cells }) => cells)
  expect(errors[0]?.slice(-3)).toEqual(['line', 'column', 'problem'])
  expect(errors.slice(1).map(cells => cells.slice(-3, -1))).toEqual([
    ['3', 'E-Mail'],
    ['4', 'Gruppen'],
    ['5', 'gültig ab'],
    ['6', 'gültig bis'],
    ['7', 'Kennung'],
    ['8', 'PIN'],
    ['9', 'Kennung'],
    ['10', 'Karte'],
    ['11', ''],
    ['12', ''],
    ['13', 'Nachname'],
  ])
  expect(errors.flat().join()).not.toContain('4711')
  const { R2: member } = Object.fromEntries(await membersOf(tenant))
  expect(member).toMatchObject({
    name: 'Jürgen Müller 2',
    starts_at: '2026-12-01T14:00:00.000000Z',
    ends_at: '2026-12-05T23:00:00.000000Z',
    emails: [{ email: 'm2@example.com' }],
    pins: [{ length: 6 }],
  })
  expect(member?.group_associations).toHaveLength(2)

  const before = await countEvents(tenant)
  const again = await importFile(tenant, [head, good(2), good(14)].join('\n'))
  expect(again).toMatchObject({ state: 'succeeded', summary: { unchanged: 2, created: 0, updated: 0 } })
  expect(await countEvents(tenant)).toBe(before)
})

test('what makes a file unusable is told before there is a job', async () => {
  const refused = (file: string, wish = {}) => tenant.client.imports.create(file, wish)
  await expect(refused('')).rejects.toThrow('no head line')
  await expect(refused('name,Abteilung\nA,B\n')).rejects.toMatchObject({
    status: 400,
    args: { field: 'mapping', column: 'Abteilung' },
  })
  await expect(refused('name,nombre\nA,B\n')).rejects.toThrow('means the same')
  await expect(refused('name\nA\n', { mode: 'sync' })).rejects.toThrow('source is required')
  await expect(refused('name\nA\n', { mode: 'sync', source: 'hr', max_deletes: '5' })).rejects.toThrow(
    'has no column',
  )
  await expect(refused('name\nA\n', { timezone: 'Mars/Base' })).rejects.toThrow('known IANA time zone')
  await tenant.client.sites.create({ name: 'Other', timezone: 'America/Lima' })
  await expect(refused('name,until\nA,2026-12-01 10:00\n')).rejects.toThrow('timezone is required')
  const [left] = await w.server.context.db.query('SELECT 1 FROM job_inputs WHERE organization_id = $1', [
    tenant.organization_id,
  ])
  expect(left).toBeUndefined()
  expect((await tenant.client.jobs.list({})).data).toEqual([])
})

test('from and until end access; a row without an end and an unknown column are shown before anything is written', async () => {
  await groups('Staff')
  const file =
    'external_id,name,groups,from,until\nA,Ann,Staff,2026-12-01,2026-12-03\nB,Bob,Staff,2026-12-01,\n'
  const job = await importFile(tenant, file, { dry_run: true })
  expect(job.state).toBe('awaiting')
  expect(job.notices).toEqual([expect.stringContaining('1 new member would have no end')])
  expect(job.notices[0]).toContain('line 3')
  expect((await membersOf(tenant)).size).toBe(0)
  expect(await diffOf(tenant, job)).toMatchObject([
    { line: 2, outcome: 'created', before: null, after: { ends_at: '2026-12-03T23:00:00.000000Z' } },
    { line: 3, outcome: 'created', before: null, after: { name: 'Bob' } },
  ])
})

test('the diff of a dry run is what its start does; a change in between is refused', async () => {
  const [staff, pool] = await groups('Staff', 'Pool')
  await importFile(
    tenant,
    'external_id,name,groups,email\nA,Ann,Staff,a@x.org\nB,Bob,Staff,b@x.org\nC,Cat,Staff,c@x.org\n',
  )
  const file =
    'external_id,name,groups,email,is_deleted\nA,Anna,Pool,a@x.org;a2@x.org,\nB,Bob,Staff,b@x.org,\nC,,,,yes\nD,Dan,Staff,,\n'
  const dry = await importFile(tenant, file, { dry_run: true })
  const before = await membersOf(tenant)
  const diff = await diffOf(tenant, dry)
  expect(diff.map(({ line, outcome }) => [line, outcome])).toEqual([
    [2, 'updated'],
    [4, 'deleted'],
    [5, 'created'],
  ])
  expect(diff[0]).toMatchObject({
    before: { name: 'Ann', member_group_ids: [staff?.id], emails: ['a@x.org'] },
    after: { name: 'Anna', member_group_ids: [pool?.id], emails: ['a@x.org', 'a2@x.org'] },
  })
  expect(dry.summary).toMatchObject({ created: 1, updated: 1, deleted: 1, unchanged: 1 })

  const bob = before.get('B')
  await tenant.client.members.edit(before.get('A')?.id ?? '', { name: 'Annie' })
  await expect(tenant.client.jobs.start(dry.id)).rejects.toMatchObject({ status: 412 })
  const second = await importFile(tenant, file, { dry_run: true })
  const started = await ended(tenant.client, (await tenant.client.jobs.start(second.id)).id)
  expect(started).toMatchObject({ state: 'succeeded', parent_job_id: second.id, summary: second.summary })
  const after = await membersOf(tenant)
  expect(after.get('A')).toMatchObject({ name: 'Anna', is_deleted: false })
  expect(
    after
      .get('A')
      ?.emails.map(({ email }) => email)
      .toSorted(),
  ).toEqual(['a2@x.org', 'a@x.org'])
  expect(after.get('B')).toEqual(bob)
  expect(after.get('C')).toMatchObject({ is_deleted: true })
  expect(after.get('D')).toMatchObject({ name: 'Dan' })
})

test.each([
  ['external_id', 'N'],
  ['email', 'n@x.org'],
  ['card_uid', '04A1B2C3'],
  ['metadata.room', '7'],
] as const)(
  'who comes to be the member of a row by its %s between dry run and start is noticed',
  async (key, value) => {
    const { client } = tenant
    const { id } = await client.members.create({ name: 'Other' })
    const dry = await importFile(tenant, `${key},name\n${value},New\n`, { key, dry_run: true })
    expect(dry.summary).toMatchObject({ created: 1 })
    if (key === 'external_id')
      await client.grants.create({ external_id: value, member: {}, member_group_ids: [] })
    if (key === 'email') await client.member_emails.create(id, { email: 'N@x.org' })
    if (key === 'card_uid') await client.member_cards.create(id, { uid: value })
    if (key === 'metadata.room') await client.members.edit(id, { metadata: { room: value } })
    await expect(client.jobs.start(dry.id)).rejects.toMatchObject({ status: 412 })
    const forced = await client.jobs.start(dry.id, { force: true })
    expect(await ended(client, forced.id)).toMatchObject({ summary: { updated: 1, created: 0 } })
  },
)

test('what is about other members and cards does not keep an import from its start', async () => {
  const { client } = tenant
  const dry = await importFile(tenant, 'external_id,name\nN,New\n', { dry_run: true })
  const { id } = await client.members.create({ name: 'Other' })
  await client.member_cards.create(id, { uid: '04A1B2C3' })
  expect(await client.jobs.start(dry.id)).toMatchObject({ parent_job_id: dry.id })
})

/** The ETags of all members, and of their PINs, cards and associations, by id. */
async function etagsOf({ client }: Tenant) {
  const etags = new Map<string, string | undefined>()
  for (const { id, pins, cards, group_associations } of (await membersOf(tenant)).values()) {
    etags.set(id, etagOf(await client.members.get(id)))
    for (const pin of pins) etags.set(pin.id, etagOf(await client.member_pins.get(id, pin.id)))
    for (const card of cards) etags.set(card.id, etagOf(await client.member_cards.get(id, card.id)))
    for (const one of group_associations)
      etags.set(one.id, etagOf(await client.member_group_associations.get(id, one.id)))
  }
  return etags
}

test('an undo sets back all but what was edited since, which it names', async () => {
  await groups('Staff', 'Pool')
  await importFile(
    tenant,
    'external_id,name,groups,pin,card_uid\nA,Ann,Staff,,\nB,Bob,Staff,100701,04A1B2C4\nU,Una,Pool,100809,04A1B2C5\n',
  )
  const before = await membersOf(tenant)
  const etags = await etagsOf(tenant)
  expect([...etags.values()]).not.toContain(undefined)
  const job = await importFile(
    tenant,
    'external_id,name,groups,pin,metadata.room,email,card_uid\nA,Anna,Pool,new,1,,\nB,Bobby,Pool,200805,2,b@x.org,04A1B2C3\nC,Cat,Staff,new,,,\nD,Dan,,,,,\n',
  )
  expect(job.summary).toMatchObject({ created: 2, updated: 2 })
  const imported = await membersOf(tenant)
  await tenant.client.members.edit(imported.get('C')?.id ?? '', { name: 'Kate' })
  const preview = await ended(tenant.client, (await tenant.client.jobs.undo(job.id, { dry_run: true })).id)
  expect(preview).toMatchObject({ state: 'awaiting', progress: { skipped: 1, succeeded: 3 } })
  expect((await membersOf(tenant)).get('D')?.is_deleted).toBe(false)
  const undo = await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(undo).toMatchObject({
    state: 'succeeded',
    undo_of_job_id: job.id,
    progress: { succeeded: 3, skipped: 1, total: 4 },
    can_undo_until: null,
  })
  expect(undo.notices).toEqual([
    expect.stringContaining(`Line 4: ${imported.get('C')?.id} has changed since`),
  ])
  const after = await membersOf(tenant)
  for (const [key, held] of before) expect(after.get(key)).toEqual(held)
  const left = await etagsOf(tenant)
  expect(new Map([...left].filter(([id]) => etags.has(id)))).toEqual(etags)
  expect(after.get('C')).toMatchObject({ name: 'Kate', is_deleted: false })
  expect(after.get('D')).toMatchObject({ is_deleted: true })
  await expect(tenant.client.jobs.undo(job.id)).rejects.toMatchObject({ status: 409 })
})

/** Changes the access of a member of the import by hand. */
type ByHand = (member: MemberWithAll) => Promise<unknown>

test.each<[string, string, ByHand]>([
  [
    'another PIN',
    'A',
    async ({ id, pins }) => {
      await tenant.client.member_pins.delete(id, pins[0]?.id ?? '')
      await tenant.client.member_pins.create(id, { pin: '300309' })
    },
  ],
  [
    'one group less',
    'A',
    ({ id, group_associations }) =>
      tenant.client.member_group_associations.delete(id, group_associations[0]?.id ?? ''),
  ],
  [
    'the old group again',
    'A',
    async ({ id }) => {
      const { data } = await tenant.client.member_groups.list({ q: 'Staff' })
      await tenant.client.member_group_associations.create(id, { member_group_id: data[0]?.id ?? '' })
    },
  ],
  ['a card for somebody new', 'C', ({ id }) => tenant.client.member_cards.create(id, { uid: '04A1B2C9' })],
])('an undo leaves alone whose access was changed by hand: %s', async (_, key, change) => {
  await groups('Staff', 'Pool')
  const head = 'external_id,name,groups,pin\n'
  await importFile(tenant, `${head}A,Ann,Staff,100701\nB,Bob,Staff,200805\n`)
  const before = await membersOf(tenant)
  const job = await importFile(tenant, `${head}A,Ann,Pool,100702\nB,Bob,Pool,200806\nC,Cat,,\n`)
  const member = present((await membersOf(tenant)).get(key), 'a member of the file')
  const { id } = member
  await change(member)
  // The import has said nothing of emails.
  await tenant.client.member_emails.create(before.get('B')?.id ?? '', { email: 'bob@example.com' })
  const held = await membersOf(tenant)
  const undo = await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(undo).toMatchObject({ state: 'succeeded', progress: { succeeded: 2, skipped: 1 } })
  expect(undo.notices).toEqual([expect.stringContaining(`${id} has changed since`)])
  expect(await fileOf(tenant, undo, 'errors.csv')).toContain(id)
  const after = await membersOf(tenant)
  expect(after.get(key)).toEqual(held.get(key))
  expect(after.get('B')).toEqual({ ...before.get('B'), emails: [expect.anything()] })
})

test('an undo deletes who was restored, as they were before', async () => {
  await importFile(tenant, 'external_id,name,pin,metadata.room\nA,Ann,100701,1\n')
  const { id } = present((await membersOf(tenant)).get('A'), 'the member')
  await tenant.client.members.delete(id)
  const before = (await membersOf(tenant)).get('A')
  const etag = etagOf(await tenant.client.members.get(id))
  const job = await importFile(tenant, 'external_id,name,pin,metadata.floor\nA,Anna,100702,2\n')
  expect(job.summary).toMatchObject({ restored: 1 })
  const undo = await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(undo).toMatchObject({ state: 'succeeded', summary: { deleted: 1 }, notices: [] })
  expect((await membersOf(tenant)).get('A')).toEqual(before)
  expect(etagOf(await tenant.client.members.get(id))).toBe(etag)
  // The PIN of somebody who is deleted is free.
  const other = await importFile(tenant, 'external_id,name,pin\nB,Bob,100701\n')
  expect(other.summary).toMatchObject({ created: 1 })
})

test('a sync deletes what its source no longer has, within its limit, and nothing of other sources', async () => {
  const lines = (ids: readonly number[]) =>
    `external_id,name\n${ids.map(id => `S${id},Name ${id}\n`).join('')}`
  const ids = Array.from({ length: 20 }, (_, index) => index)
  const sync = { mode: 'sync', source: 'hr', max_deletes: '10%' } as const
  await importFile(tenant, lines(ids), sync)
  await tenant.client.members.create({ name: 'By hand' })
  const empty = await importFile(tenant, 'external_id,name\n', sync)
  expect(empty).toMatchObject({
    state: 'failed',
    summary: { deleted: 0 },
    error: { args: { field: 'max_deletes' } },
  })
  const living = async () =>
    [...(await membersOf(tenant)).values()].filter(({ is_deleted }) => !is_deleted).length
  expect(await living()).toBe(21)
  const dry = await importFile(tenant, lines(ids.slice(2)), { ...sync, dry_run: true })
  expect(await diffOf(tenant, dry)).toMatchObject([{ outcome: 'deleted' }, { outcome: 'deleted' }])
  expect(await living()).toBe(21)
  const job = await importFile(tenant, lines(ids.slice(2)), sync)
  expect(job).toMatchObject({
    state: 'succeeded',
    summary: { deleted: 2, unchanged: 18 },
    progress: { total: 20, done: 20 },
  })
  expect(await living()).toBe(19)
  await ended(tenant.client, (await tenant.client.jobs.undo(job.id)).id)
  expect(await living()).toBe(21)
})

test('generated secrets are fetched once, by whoever made the import, with an event for each', async () => {
  const job = await importFile(
    tenant,
    'external_id,name,pin,magic_link\nA,Ann,new,new\nB,Bob,new,\nC,Cat,300907,\n',
  )
  expect(job.files.map(({ name, is_secret }) => [name, is_secret])).toEqual([
    ['errors.csv', false],
    ['results.csv', true],
  ])
  const [head, ann, bob, ...more] = parseCsv(await fileOf(tenant, job, 'results.csv')).map(
    ({ cells }) => cells,
  )
  expect(head).toEqual(['line', 'external_id', 'name', 'member_id', 'pin', 'link'])
  expect(ann?.[4]).toMatch(/^\d{6,}$/)
  expect(ann?.[5]).toContain('/guest#mml_')
  expect(bob?.[5]).toBe('')
  expect(more).toEqual([])
  const { data } = await tenant.client.events.list({ verb: 'reveal' })
  expect(data.map(({ object }) => object.type).toSorted()).toEqual([
    'member_magic_link',
    'member_pin',
    'member_pin',
  ])
  await expect(fileOf(tenant, job, 'results.csv')).rejects.toMatchObject({ status: 410 })
  expect((await tenant.client.jobs.file(job.id, 'results.csv', { again: true })).size).toBeGreaterThan(0)
  const reader = tenant.clientWith(['full_read_only'])
  await expect(reader.jobs.file(job.id, 'results.csv', { again: true })).rejects.toMatchObject({
    status: 403,
  })
  const { db } = w.server.context
  const dump = await db.query(
    'SELECT j::text, r::text FROM jobs j LEFT JOIN job_rows r ON r.job_id = j.id WHERE j.id = $1',
    [job.id],
  )
  expect(JSON.stringify(dump)).not.toContain(ann?.[4])
})

test('rollback imports all rows or none; stop leaves the rows behind the first error alone', async () => {
  const file = 'external_id,name,email\nA,Ann,\nB,Bob,wrong\nC,Cat,\n'
  const all = await importFile(tenant, file, { on_row_error: 'rollback' })
  expect(all).toMatchObject({
    state: 'failed',
    progress: { total: 3, done: 3, failed: 1, skipped: 2, succeeded: 0 },
    error: { message: 'nothing was imported: 1 of 3 rows are refused' },
  })
  expect(await fileOf(tenant, all, 'errors.csv')).toContain('B,Bob,wrong,3,email,')
  expect((await membersOf(tenant)).size).toBe(0)
  const stopped = await importFile(tenant, file, { on_row_error: 'stop' })
  expect(stopped).toMatchObject({
    state: 'partly_succeeded',
    progress: { total: 3, done: 2, failed: 1, succeeded: 1 },
  })
  expect(stopped.notices.join()).toContain('Stopped at line 3')
  const whole = await importFile(tenant, 'external_id,name\nX,1\nY,2\n', { on_row_error: 'rollback' })
  expect(whole).toMatchObject({ state: 'succeeded', summary: { created: 2 } })
  expect([...(await membersOf(tenant)).keys()].toSorted()).toEqual(['A', 'X', 'Y'])
})

test('PINs and cards of others are refused, and a refusal tells no digits', async () => {
  await importFile(tenant, 'external_id,name,pin,card_uid\nA,Ann,400913,04AABBCC\n')
  const job = await importFile(
    tenant,
    'external_id,name,pin,card_uid\nB,Bob,400913,\nC,Cat,,04AABBCC\nA,Anna,,\n',
  )
  expect(job.progress).toMatchObject({ failed: 2, succeeded: 1 })
  const errors = await fileOf(tenant, job, 'errors.csv')
  expect(errors).not.toContain('400913')
  expect(errors).toContain('belongs to another member')
})

test('a viewer reads jobs and starts none; another application does not see them', async () => {
  const reader = tenant.clientWith(['full_read_only'])
  const dry = await reader.imports.create('external_id,name\nA,Ann\n', { dry_run: true })
  await expect(reader.imports.create('external_id,name\nA,Ann\n')).rejects.toMatchObject({ status: 403 })
  await ended(reader, dry.id)
  await expect(reader.jobs.start(dry.id)).rejects.toMatchObject({ status: 403 })
  const other = await w.tenant()
  await expect(other.client.jobs.get(dry.id)).rejects.toMatchObject({ status: 404 })
})
