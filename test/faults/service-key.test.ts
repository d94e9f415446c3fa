import { randomBytes } from 'node:crypto'
import { announceKey, type Config, claimKeys, startServer } from '@gatehouse-access/server'
import { findFreePort, launchService, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const refused = /^GATEHOUSE_SECRET_KEY is wrong for this database: .*[a-z]\.\n?$/s
let w: World
let config: Config
let own: Buffer
beforeAll(async () => {
  w = await world()
  config = w.server.context.config
  own = config.secret_keys[0] as Buffer
  const { client } = await w.tenant()
  const { id } = await client.members.create()
  await client.member_pins.create(id, { pin: '8305127' })
})
afterAll(() => w[Symbol.asyncDispose]())

const run = (text: string) => w.server.context.db.query(text)
const claim = (...keys: Buffer[]) => claimKeys(w.server.context.db, keys, w.clock.now())

/** The normal state: one key, in use. */
beforeEach(async () => {
  await run('DELETE FROM service_keys')
  await claim(own)
})

test('a process with another key does not start, and says why in a sentence', async () => {
  const env = { DATABASE_URL: w.database_url, GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64') }
  const { code, stdout, stderr } = await launchService({ port: await findFreePort(), env }).exited
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(refused)
  expect(stderr).not.toContain(env.GATEHOUSE_SECRET_KEY)
})

test('one with the same key starts beside it, also with one more behind', async () => {
  await using _same = await startServer(config, { jobs: false, delivery: false })
  await using _more = await startServer(
    { ...config, secret_keys: [own, randomBytes(32)] },
    { jobs: false, delivery: false },
  )
})

test('a first key that nobody announced is refused; one that stood behind the old, or was announced, is taken', async () => {
  const [next, later] = [randomBytes(32), randomBytes(32)]
  await expect(claim(next, own)).rejects.toThrow(/^The first key of GATEHOUSE_SECRET_KEY, .* is new/)
  await claim(own, next)
  await claim(next, own)
  await announceKey(w.server.context.db, later, w.clock.now())
  await claim(later, next, own)
})

test('who lacks a key that another process writes with does not start', async () => {
  const next = randomBytes(32)
  await claim(own, next)
  await claim(own)
  await claim(next, own)
  await expect(claim(own)).rejects.toThrow(refused)
  await expect(claim(next)).rejects.toThrow(refused)
})

test('a database from before takes its key only if that opens what it has', async () => {
  await run('DELETE FROM service_keys')
  await expect(claim(randomBytes(32))).rejects.toThrow(/do not open member_pin mp_/)
  expect(await run('SELECT id FROM service_keys')).toEqual([])
  await claim(own)
  expect(await run('SELECT id FROM service_keys')).toHaveLength(1)
})

test('two first starts at once with different keys: one is refused', async () => {
  await using empty = await world()
  const { db } = empty.server.context
  await db.query('DELETE FROM service_keys')
  const outcomes = await Promise.allSettled(
    [randomBytes(32), randomBytes(32)].map(key => claimKeys(db, [key], w.clock.now())),
  )
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a word that does not open is not taken for the key', async () => {
  await run(`UPDATE service_keys SET word = word || '\\x00'`)
  await expect(claim(own)).rejects.toThrow('does not open the word')
})
