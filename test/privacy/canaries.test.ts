import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { slowness, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { touchedTables } from '../../packages/server/src/erasing/holdings.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { building } from '../devices/building.ts'
import { EdgeChild } from '../devices/edge-child.ts'
import { expectWholeChain, workUntil } from './erase.ts'
import { findWord } from './find-words.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant
let folder: string
const lines: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-canaries-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
  const log = { write: (line: string) => void lines.push(line) }
  w = owned.use(await world({ delivery: true, log, log_level: 'debug' }))
  owned.use(new JobRunner(w.server.context, jobTypes))
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const made: string[] = []
function canary(): string {
  const word = `canary${randomBytes(6).toString('hex')}`
  made.push(word)
  return word
}
const metadata = () => ({ [canary()]: canary() })

/** Returns the files below a folder that contain one of the words. */
async function filesWith(path: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    if (words.some(word => bytes.includes(word))) found.push(file)
  }
  return found
}

/** The files of the tables of this database, after what the promise asks for: a rewrite of the tables that were touched. */
async function filesOfDatabase(words: readonly string[]): Promise<string[]> {
  const { db } = w.server.context
  for (const table of touchedTables) await db.query(`VACUUM FULL ${table}`, [], { prepare: false })
  await db.query('CHECKPOINT', [], { prepare: false })
  const [row] = await db.query<{ folder: string }>(
    `SELECT current_setting('data_directory') || '/base/' || oid AS folder FROM pg_database WHERE datname = current_database()`,
  )
  return filesWith(row?.folder ?? '', words)
}

/** Something of every kind with a free text, none of which is about the member. */
async function makeOrganization() {
  const { client } = tenant
  const place = await building(w, tenant, canary())
  await client.sites.edit(place.site.id, { info: canary(), metadata: metadata() })
  await client.gadgets.edit(place.door.id, { metadata: metadata() })
  await client.devices.edit(place.device.id, {
    input_rules: [{ code: '', gadget_id: place.door.id, action_id: 'open' }],
  })
  await client.tags.create({ name: canary() })
  await client.schedules.create({
    name: canary(),
    weekdays: Array.from({ length: 7 }, () => ({ ranges: [] })),
  })
  await client.calendars.create({ name: canary() })
  const other = await client.members.create({ name: canary(), metadata: metadata() })
  await client.member_emails.create(other.id, { email: `${canary()}@example.com` })
  await client.member_group_associations.create(other.id, { member_group_id: place.group.id })
  await client.members.edit(other.id, { name: canary() })
  return place
}

async function makeMember(group: string) {
  const { client } = tenant
  const granted = await client.grants.create({
    external_id: canary(),
    member: { name: canary(), metadata: metadata() },
    member_group_ids: [group],
    credentials: { emails: [`${canary()}@example.com`], pin: { pin: '730516' }, magic_link: true },
    notify: true,
  })
  const { id } = granted
  await client.member_emails.create(id, { email: `${canary()}@example.com`, metadata: metadata() })
  const card = await client.member_cards.create(id, { uid: '04A1B2C3D4E5F6', metadata: metadata() })
  await client.cards.edit(card.card_id, { name: canary(), metadata: metadata() })
  await client.members.edit(id, { name: canary(), metadata: { ...metadata(), stay: canary() } })
  return granted
}

async function runJob(start: () => Promise<{ id: string }>): Promise<string> {
  const { id } = await start()
  const state = async () => (await tenant.client.jobs.get(id)).state
  await expect.poll(state, { timeout: 20_000 * slowness() }).toBe('succeeded')
  return id
}

test(
  'of a member who was erased, nothing is in tables, files, logs or the controller',
  within(60),
  async () => {
    const { client } = tenant
    const place = await makeOrganization()
    const others = made.splice(0)
    const member = await makeMember(place.group.id)
    const words = [...made]
    expect(words.length).toBeGreaterThan(15)
    const edge = owned.use(
      new EdgeChild({ ...place.credentials, secret: place.credentials.secret ?? '', folder, ahead: 0 }),
    )
    await edge.waitFor(({ is_live, version }) => is_live && version !== null)
    await expect.poll(() => edge.decide('730516', place.door.id), { timeout: 20_000 * slowness() }).toBe(null)
    expect(await edge.type('730516#')).toMatchObject([{ type: 'use', member_id: member.id }])
    const uses = async () => (await client.events.list({ 'subject.member_id': member.id, verb: 'use' })).data
    await expect.poll(async () => (await uses()).length, { timeout: 20_000 * slowness() }).toBeGreaterThan(0)
    const jobs = [
      await runJob(() => client.members.data_export(member.id)),
      await runJob(() => client.exports.create({ kind: 'members', format: 'csv' })),
    ]
    const { db } = w.server.context
    const ofEdge = [member.id, member.pins?.[0]?.id ?? '?']
    expect(await filesWith(folder, ofEdge)).not.toEqual([])
    expect(Object.keys(await findWord(db, ...words)).length).toBeGreaterThan(3)
    const before = await findWord(db, ...others)

    const begun = await client.erasures.create({ member_id: member.id, includes_cards: true })
    await workUntil(w, client, begun.id, 'done')
    expect(await findWord(db, ...words)).toEqual({})
    expect(await findWord(db, ...others)).toEqual(before)
    // What the jobs wrote is gone; that they ran is not.
    for (const table of ['job_files', 'job_inputs'])
      expect(await db.query(`SELECT 1 FROM ${table} WHERE job_id = ANY($1::text[])`, [jobs])).toEqual([])
    // A rewrite keeps what a transaction elsewhere on the server could still see.
    await expect.poll(() => filesOfDatabase(words), { timeout: 30_000 * slowness() }).toEqual([])
    expect(await filesOfDatabase(others)).not.toEqual([])
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter(line => words.some(word => line.includes(word)))).toEqual([])
    // The controller has confirmed it by then, and sends nothing that it would have to keep.
    await expect.poll(() => filesWith(folder, ofEdge), { timeout: 20_000 * slowness() }).toEqual([])
    expect(await edge.decide('730516', place.door.id)).toBe('unknown_credential')
    await expect.poll(() => expectWholeChain(w).then(() => true), { timeout: 20_000 * slowness() }).toBe(true)
  },
)
