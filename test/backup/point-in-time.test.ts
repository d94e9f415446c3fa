import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@gatehouse-access/sdk'
import { Chance, makeEmptyFolder, seed, within } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { CanaryWords } from '../privacy/canary-words.ts'
import { countDataFolder, countFiles, storeUncompressed, sum } from '../privacy/count-words.ts'
import {
  clientFor,
  environmentOf,
  type Installation,
  listIds,
  makeInstallation,
  newClient,
  startQuickly,
} from './installation.ts'

interface Entry {
  readonly id: string
  readonly kind: string
  readonly restores_from: string
  readonly restores_to: string
}

const patience = { timeout: 60_000, interval: 50 }
const chance = new Chance(seed)
const owned = new AsyncDisposableStack()
let house: Installation
/** A moment after which all members were deleted by mistake. */
let moment: string
let ids: { organization_id: string; oauth_application_id: string }
let ada: string
/** Who is erased after the moment, and the words that name them. */
let erased: string
const words = new CanaryWords()

/** The archived log, piece by piece. */
function pieces(): string[] {
  const wal = join(house.backups, 'wal')
  return readdirSync(wal)
    .flatMap(line => readdirSync(join(wal, line)).map(name => join(wal, line, name)))
    .sort()
}

const list = async (): Promise<Entry[]> => JSON.parse((await house.run(['backup', 'list', '--json'])).stdout)

/** Makes a member with a word in what people type about one. */
async function makeCanary(client: Client): Promise<string> {
  const { word, email, metadata } = words
  const { id } = await client.members.create({ name: word(), metadata: metadata() })
  await client.member_emails.create(id, { email: email(), metadata: metadata() })
  await client.member_pins.create(id, { pin: '314159', metadata: metadata() })
  const { card_id } = await client.member_cards.create(id, { uid: '04A1B2C3D4E5F6' })
  await client.cards.edit(card_id, { name: word(), metadata: metadata() })
  await client.members.edit(id, { name: word() })
  return id
}

beforeAll(async () => {
  house = owned.use(await makeInstallation())
  await using server = await house.start({
    backups: { archive: 150, look: 400, drills: false, gives_way: false },
  })
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), patience)
  const { client, ...found } = await newClient(server)
  ids = found
  const member = await client.members.create({ name: 'Ada Lovelace' })
  await client.member_pins.create(member.id, { pin: '271828' })
  ada = member.id
  await storeUncompressed(server.context.db)
  erased = await makeCanary(client)
  expect(sum(await countDataFolder(server.context.db, words.made))).toBeGreaterThanOrEqual(words.made.length)
  // What follows is in another piece of the log.
  const archived = pieces().length
  await vi.waitFor(() => expect(pieces().length).toBeGreaterThan(archived), patience)
  // A Date has no microseconds: in the millisecond of the PIN, it would lie before it.
  await sleep(5)
  moment = new Date().toISOString()
  await sleep(5)
  await client.members.delete(member.id)
  const { id } = await client.members.erase(erased, { includes_cards: true })
  await vi.waitFor(async () => expect((await client.erasures.get(id)).state).toBe('done'), patience)
  await client.members.create({ name: 'Grace Hopper' })
}, within(90).timeout)
afterAll(() => owned.disposeAsync())

test(
  'an orderly stop has archived everything, a deletion is undone to the millisecond, and an erasure is not',
  within(60),
  async () => {
    await using folder = await makeEmptyFolder()
    const restored = await house.run(
      ['restore', '--to', moment, '--into', folder.path],
      `${house.recovery_key}\n`,
    )
    expect([restored.stderr.replace('Recovery key: \n', ''), restored.code, restored.stdout]).toEqual([
      '',
      0,
      expect.stringContaining(`Restored ${moment}`),
    ])
    // Whoever was erased since is erased again before the service starts.
    expect(await countFiles(folder.path, words.made)).toEqual({})
    // Backups go on under the same key.
    const told = async ({ path }: { path: string }) =>
      JSON.parse((await gatehouse(['backup', 'status', '--json'], environmentOf(path, house.backups))).stdout)
    expect((await told(folder)).recovery_key).toBe((await told(house.data)).recovery_key)
    {
      await using server = await startQuickly(environmentOf(folder.path), { jobs: false })
      expect(await countDataFolder(server.context.db, words.made)).toEqual({})
      const { client } = await clientFor(server, ids)
      expect(await client.members.get(erased)).toMatchObject({
        name: null,
        metadata: {},
        is_deleted: true,
        erased_at: expect.any(String),
      })
      const names = async () => (await client.members.list()).data.map(({ name }) => name)
      expect(await names(), 'the ledger knows of the deletion').toEqual([])
      const confirm = ['restore', 'confirm', '--keep-deleted-between', moment, new Date().toISOString()]
      const confirmed = await gatehouse(confirm, environmentOf(folder.path))
      expect([confirmed.code, confirmed.stderr]).toEqual([0, ''])
      await expect.poll(names).toEqual(['Ada Lovelace'])
      expect(await client.members.get(erased)).toMatchObject({ name: null, is_deleted: true })
      const { data } = await client.member_pins.list(ada)
      const reveal = () => client.member_pins.reveal(ada, data[0]?.id ?? '').catch(error => error.args)
      await expect.poll(reveal).toMatchObject({ pin: '271828' })
    }
    const again = await house.run(['restore', '--to', moment, '--into', folder.path], house.recovery_key)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('There is a database in')])
  },
)

test('what cannot be restored is refused in one sentence, before anything is written', async () => {
  await using folder = await makeEmptyFolder()
  const restore = (...args: string[]) =>
    house.run(['restore', ...args, '--into', folder.path], house.recovery_key)
  expect((await restore()).code).toBe(2)
  expect((await restore('--to', 'yesterday')).code).toBe(2)
  expect((await restore('--to', '2020-01-01T00:00:00Z')).stderr).toContain('Nothing reaches back to 2020')
  expect((await restore('--to', '2120-01-01T00:00:00Z')).stderr).toContain('lies in the future')
  expect((await restore('--backup', 'none')).stderr).toContain('There is no backup none')
  const wrong = await house.run(['restore', '--to', moment, '--into', folder.path], 'AAAA')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('has 4 characters')])
  expect(readdirSync(folder.path)).toEqual([])
})

test('every flipped bit and every missing piece of the log is found by its name', within(60), async () => {
  expect(await house.run(['backup', 'verify'])).toMatchObject({ code: 0 })
  // What a damaged manifest describes is not looked at.
  for (const ends of [
    ['.archive', '.wal'],
    ['.manifest', '.verified'],
  ]) {
    const restores = findFiles(ends).map(path => [path, flipOneBit(path)] as const)
    const { code, stderr } = await house.run(['backup', 'verify'])
    for (const [path, restore] of restores) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(path)])
      restore()
    }
  }
})

/** Returns one file of each sort. */
function findFiles(ends: readonly string[]): string[] {
  const all = readdirSync(house.backups, { recursive: true, encoding: 'utf8' })
  return ends.map(end => join(house.backups, all.find(name => name.endsWith(end)) ?? ''))
}

/** Returns what flips it back. */
function flipOneBit(path: string): () => void {
  const bytes = readFileSync(path)
  const flipped = Buffer.from(bytes)
  const at = chance.whole(0, bytes.length - 1)
  flipped[at] = (flipped[at] ?? 0) ^ 4
  writeFileSync(path, flipped)
  return () => writeFileSync(path, bytes)
}

test(
  'a drill passes, and finds the file of the log that is gone: the list shows the gap',
  within(60),
  async () => {
    const whole = await house.run(['backup', 'verify', '--drill', '--json'])
    expect([whole.code, JSON.parse(whole.stdout)]).toEqual([0, expect.objectContaining({ error: null })])
    // The last one before the moment: without the last of all, there would be no gap but an earlier end.
    const until = moment.replace(/[-:.]/g, '')
    rmSync(pieces().findLast(path => basename(path).slice(34, -4) < until) ?? '')
    const torn = await house.run(['backup', 'verify', '--drill'])
    expect([torn.code, torn.stderr]).toEqual([1, expect.stringMatching(/the log from .* is missing/)])
    const gap = (await list()).find(({ kind }) => kind === 'gap')
    expect(gap?.id).toMatch(/^gap-/)
    await using folder = await makeEmptyFolder()
    const refused = await house.run(['restore', '--to', moment, '--into', folder.path], house.recovery_key)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^Nothing between .* can be restored, because the log/),
    ])
    const status = JSON.parse((await house.run(['backup', 'status', '--json'])).stdout)
    expect(status).toMatchObject({
      drill: { error: expect.stringContaining('is missing') },
      gaps: [{ to: null }],
    })
  },
)

test('a backup made before the service archives its log says what it restores', within(60), async () => {
  await using fresh = await makeInstallation()
  {
    await using _ = await fresh.start({ jobs: false })
    const made = await fresh.run(['backup', 'now'])
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('to its own moment only')])
  }
  await using _ = await fresh.start()
  await vi.waitFor(async () => expect(await listIds(fresh, 'physical')).toHaveLength(2), patience)
  expect(await fresh.run(['backup', 'now'])).toMatchObject({ code: 0, stderr: '' })
})
