import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Resource, resources } from '@gatehouse-access/api'
import { type Database, sendInvitations } from '@gatehouse-access/server'
import { type Receiver, receiver, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { building } from '../devices/building.ts'
import { EdgeChild } from '../devices/edge-child.ts'
import { ended, importFile } from '../imports/importing.ts'
import { requester, succeed } from '../properties/ask.ts'
import { plantAlarm } from '../properties/plant-alarms.ts'
import { Phone } from '../stories/guest.ts'
import { CanaryWords } from './canary-words.ts'
import {
  countDataFolder,
  countFiles,
  countRows,
  dumpRows,
  placesOf,
  rewriteTables,
  storeUncompressed,
  sum,
} from './count-words.ts'
import { expectWholeChain, workUntil } from './erase.ts'
import { listWordless, writeEverywhere } from './free-texts.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let folder: string
let hooks: readonly Receiver[]
const lines: string[] = []
const others = new CanaryWords()
const own = new CanaryWords()
const { word, email, metadata } = own

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-canaries-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const log = { write: (line: string) => void lines.push(line) }
  w = owned.use(await world({ delivery: true, log, log_level: 'debug', webhook_allow: ['127.0.0.0/8'] }))
  await storeUncompressed(w.server.context.db)
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
  hooks = [owned.use(await receiver(echo(200))), owned.use(await receiver(echo(500)))]
})
afterAll(() => owned.disposeAsync())

/** Answers quote what was sent. */
function echo(status: number): Receiver['respond'] {
  return (response, { body }) => void response.writeHead(status).end(body)
}

type Place = Awaited<ReturnType<typeof building>>
type Member = Awaited<ReturnType<typeof makeMember>>

const about = [
  'member',
  'member_email',
  'member_pin',
  'member_card',
  'member_magic_link',
  'member_token',
  'member_group_association',
  'gadget_action',
  'card',
  'alarm',
  'erasure',
] as const

async function listen() {
  for (const { url } of hooks)
    await tenant.client.webhooks.create({
      url,
      filter: about.map(object_type => ({ object_type })),
      expand: ['object_member', 'object_card', 'object_alarm', 'subject_member'],
    })
}

/** Over an application that may send its request again. */
async function grant(member_group_id: string) {
  const body = {
    external_id: word(),
    member: { name: word(), metadata: metadata() },
    member_group_ids: [member_group_id],
    credentials: { emails: [email()], pin: { pin: '730516' }, magic_link: true },
    notify: true,
  }
  const headers = { 'idempotency-key': 'grant' }
  return succeed<Awaited<ReturnType<typeof tenant.client.grants.create>>>(requester(w.url, tenant.token), {
    method: 'POST',
    path: '/grants',
    body,
    headers,
  })
}

async function makeMember(group: string) {
  const { client } = tenant
  const granted = await grant(group)
  const { id } = granted
  await client.member_emails.create(id, { email: email(), metadata: metadata() })
  await client.member_pins.create(id, { pin: '402917', metadata: metadata() })
  await client.member_magic_links.create(id, { metadata: metadata() })
  await client.member_tokens.create(id, { metadata: metadata() })
  const card = await client.cards.create({ uid: '04A1B2C3D4E5F6', name: word(), metadata: metadata() })
  const { card_id } = await client.member_cards.create(id, { card_id: card.id, metadata: metadata() })
  await client.cards.edit(card_id, { name: word(), metadata: metadata() })
  const [association] = granted.group_associations
  await client.member_group_associations.edit(id, association?.id ?? '', { metadata: metadata() })
  await client.members.edit(id, { name: word(), metadata: { ...metadata(), stay: word() } })
  await client.bulk([{ method: 'PATCH', path: `/members/${id}`, body: { name: word() } }])
  return { ...granted, card_id }
}

/** Rows of what was changed, and a dry run whose files show the person. */
async function importMember({ external_id }: Member) {
  const file = () =>
    `external_id,name,email,metadata.${word()}\n${external_id},${word()},${email()},${word()}\nR-1,${others.word()},,\n`
  const done = await importFile(tenant, file())
  expect(done).toMatchObject({ state: 'succeeded', summary: { updated: 1, created: 1 } })
  const dry = await importFile(tenant, file(), { dry_run: true })
  expect(dry.progress.failed).toBe(0)
  return [done.id, dry.id]
}

const nobody = { kind: 'members', change: { ends_at: '2031-01-01T00:00:00Z' }, expected_count: 0 } as const

async function runJobs({ id }: Member): Promise<string[]> {
  const { client } = tenant
  const begun = [
    await client.members.data_export(id),
    await client.exports.create({ kind: 'members', format: 'csv' }),
    await client.exports.create({ kind: 'events', format: 'ndjson' }),
    await client.exports.create({ kind: 'members', format: 'csv', filter: { q: word() } }),
  ]
  // What it writes names nobody.
  const edit = await client.bulk.edit({ ...nobody, filter: { q: word() } })
  expect(await ended(client, edit.id)).toMatchObject({ state: 'succeeded' })
  for (const job of begun) expect(await ended(client, job.id)).toMatchObject({ state: 'succeeded' })
  return begun.map(job => job.id)
}

async function useDoors({ id, magic_links }: Member, { door }: Place, edge: EdgeChild) {
  const phone = new Phone(w, undefined, { 'user-agent': word() })
  expect(await phone.enter(magic_links?.[0]?.link ?? '')).toMatchObject({ status: 200 })
  await tenant.client.gadgets.execute_as_member(door.id, 'open', { member_id: id })
  expect(await edge.type('730516#')).toMatchObject([{ type: 'use', member_id: id }])
  const uses = () => tenant.client.events.list({ 'subject.member_id': id, verb: 'use' })
  const timeout = 20_000
  await expect.poll(async () => (await uses()).data.length, { timeout }).toBeGreaterThan(2)
}

async function alarmAbout({ id }: Member, { site, device, door }: Place) {
  const { client } = tenant
  const places = { site: site.id, device: device.id, gadget: door.id }
  const more = { member_id: id, condition_key: `access_denied_often:${id}` }
  const alarm = await plantAlarm(w.server.context, tenant.organization_id, places, more)
  await client.alarms.acknowledge(alarm.id, { note: word() })
  await client.alarms.edit(alarm.id, { note: word(), metadata: metadata() })
}

async function failToSend({ id }: Member) {
  const { mailer, ...context } = w.server.context
  await tenant.client.members.invite(id)
  await sendInvitations({
    ...context,
    mailer: { ...mailer, send: () => Promise.reject(new Error('no mail server')) },
  })
  expect(lines.join('')).toContain('a letter to a member was not sent')
}

/** As the last thing, since nothing that is suspended opens. */
async function suspendAll({ id, card_id, ...member }: Member) {
  const { client } = tenant
  const why = () => ({ is_suspended: true, suspended_reason: word() })
  const { data: cards } = await client.member_cards.list(id)
  const { data: tokens } = await client.member_tokens.list(id)
  const { data: emails } = await client.member_emails.list(id)
  for (const one of cards) await client.member_cards.edit(id, one.id, why())
  for (const one of tokens) await client.member_tokens.edit(id, one.id, why())
  for (const one of emails) await client.member_emails.edit(id, one.id, why())
  for (const one of member.pins ?? []) await client.member_pins.edit(id, one.id, why())
  for (const one of member.magic_links ?? []) await client.member_magic_links.edit(id, one.id, why())
  await client.cards.edit(card_id, { is_lost: true, lost_reason: word() })
  await client.members.edit(id, why())
}

/** Until every delivery was tried, and every event is sealed: from then on rows change only by what is asked for. */
async function settle() {
  const { db } = w.server.context
  const waiting = () =>
    db.query<{ count: number }>(
      `SELECT (SELECT count(*) FROM webhook_deliveries WHERE attempts = '[]')::integer
         + (SELECT count(*) FROM events)::integer - (SELECT count(*) FROM audit_links)::integer AS count`,
    )
  await expect.poll(async () => (await waiting())[0]?.count, { timeout: 30_000 }).toBe(0)
}

/** The keyed hashes of the PINs, as bytes and as a dump writes them. */
async function pinHashes({ id }: Member) {
  const rows = await w.server.context.db.query<{ pin_hash: Uint8Array }>(
    'SELECT pin_hash FROM member_pins WHERE member_id = $1',
    [id],
  )
  expect(rows).toHaveLength(2)
  const bytes = rows.map(({ pin_hash }) => Buffer.from(pin_hash))
  return { bytes, texts: bytes.map(hash => hash.toString('hex')) }
}

const aboutMembers = Object.values<Resource>(resources).filter(
  ({ kind, parent }) => kind === 'member' || parent === 'member' || kind === 'card',
)
/** What the service writes, accounts of the console, and what jobs were asked: of those that have ended it goes with any erasure. */
const untyped = [
  'product.name',
  'job.notices',
  'job.settings',
  'user.name',
  'user.email',
  'oauth_application.name',
]

/** What is encrypted, so that no search finds it: what jobs were given and have written, and an answer. */
async function countSealed({ id }: Member, jobs: readonly string[]) {
  const [row] = await w.server.context.db.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM job_inputs WHERE job_id = ANY($2::text[]))::integer AS inputs,
       (SELECT count(*) FROM job_files WHERE job_id = ANY($2::text[]))::integer AS files,
       (SELECT count(*) FROM job_rows WHERE object_id = $1)::integer AS rows,
       (SELECT count(*) FROM idempotency_keys WHERE key = 'grant' AND answer IS NOT NULL)::integer AS answers`,
    [id, jobs],
  )
  return row
}

/** Which tables have files, or indexes with files, that an ID stands in. */
async function placesInFiles(db: Pick<Database, 'query'>, id: string): Promise<string[]> {
  const files = Object.keys(await countDataFolder(db, [id])).map(file => Number.parseInt(basename(file), 10))
  const rows = await db.query<{ name: string }>(
    `SELECT DISTINCT regexp_replace(coalesce(i.indrelid, c.oid)::regclass::text, '^events_.*', 'events') AS name FROM unnest($1::oid[]) AS f(node)
     LEFT JOIN pg_class c ON c.oid = pg_filenode_relation(0, f.node) LEFT JOIN pg_index i ON i.indexrelid = c.oid ORDER BY name`,
    [files],
  )
  return rows.map(({ name }) => name)
}

test(
  'of a member who was erased, nothing is in tables, files, logs or the controller, and all else is untouched',
  within(120),
  async () => {
    const { client } = tenant
    const { db } = w.server.context
    await writeEverywhere(w, tenant, others)
    expect(await listWordless(db, others.made)).toEqual(untyped)
    const place = await building(w, tenant, others.word())
    await listen()
    const member = await makeMember(place.group.id)
    await sendInvitations(w.server.context)
    await failToSend(member)
    const edge = owned.use(
      new EdgeChild({ ...place.credentials, secret: place.credentials.secret ?? '', folder, ahead: 0 }),
    )
    await edge.waitFor(({ is_live, version }) => is_live && version !== null)
    const timeout = 20_000
    await expect.poll(() => edge.decide('730516', place.door.id), { timeout }).toBe(null)
    await useDoors(member, place, edge)
    await alarmAbout(member, place)
    const jobs = [...(await importMember(member)), ...(await runJobs(member))]
    await suspendAll(member)
    await settle()
    const words = own.made
    const hashes = await pinHashes(member)
    const everywhere = [...words, ...hashes.bytes]
    const ofEdge = [member.id, member.pins?.[0]?.id ?? '?']
    expect(words.length).toBeGreaterThanOrEqual(40)
    expect(await listWordless(db, words, aboutMembers)).toEqual([])
    for (const { received } of hooks) expect(received.length).toBeGreaterThan(20)
    const sealed = await countSealed(member, jobs)
    expect(Object.values(sealed ?? {}).filter(count => count === 0)).toEqual([])
    // As PostgreSQL does by itself from time to time.
    await db.query('ANALYZE', [], { prepare: false })
    const before = await dumpRows(db)
    const inFiles = await countDataFolder(db, everywhere)
    expect(sum(countRows(before, words)) + sum(inFiles)).toBeGreaterThan(200)
    expect(Object.keys(inFiles).filter(file => file.endsWith('/2619'))).toHaveLength(1)
    expect(sum(countRows(before, hashes.texts))).toBe(hashes.texts.length)
    expect(sum(await countFiles(folder, ofEdge))).toBeGreaterThan(0)

    const begun = await client.erasures.create({ member_id: member.id, includes_cards: true })
    await workUntil(w, client, begun.id, 'done')
    const after = await dumpRows(db)
    expect(countRows(after, [...words, ...hashes.texts])).toEqual({})
    expect(countRows(after, others.made)).toEqual(countRows(before, others.made))
    expect(placesOf(after, member.id)).toEqual({ members: 1, erasures: 1, events: 2 })
    expect(await countSealed(member, jobs)).toEqual({ inputs: 0, files: 0, rows: 0, answers: 0 })
    await rewriteTables(db)
    expect(await countDataFolder(db, everywhere)).toEqual({})
    expect(sum(await countDataFolder(db, others.made))).toBeGreaterThan(others.made.length)
    const [known = ''] = others.made
    w.server.context.log.debug({ known }, 'a word to be found')
    const log = lines.join('')
    expect(log).toContain(known)
    expect(await placesInFiles(db, member.id)).toEqual(
      'erasures events ledger_erasures members pg_statistic webhook_bodies webhook_deliveries'.split(' '),
    )
    expect([member.id, ...words, ...hashes.texts].filter(word => log.includes(word))).toEqual([])
    // The controller has confirmed it by then, and sends nothing that it would have to keep.
    await expect.poll(() => countFiles(folder, [...ofEdge, ...words]), { timeout }).toEqual({})
    expect(await edge.decide('730516', place.door.id)).toBe('unknown_credential')
    await expect.poll(() => expectWholeChain(w).then(() => true), { timeout }).toBe(true)
  },
)
