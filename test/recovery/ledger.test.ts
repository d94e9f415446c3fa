import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, writeLedger } from '@gatehouse-access/server'
import type { Tenant, World } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientAt, Installation } from './installation.ts'

let there: Installation
let tenant: Tenant
let w: World

beforeEach(async () => {
  there = await Installation.open({ delivery: false, jobs: false, log_level: 'silent' })
  w = await there.start()
  tenant = await w.tenant()
  await record(w)
})
afterEach(() => there[Symbol.asyncDispose]())

const path = () => join(there.folder, 'ledger.txt')

interface Block {
  readonly revoked: [how: string, hash: string, at: string][]
  readonly previous: string | null
}

async function blocks(): Promise<Block[]> {
  const lines = (await readFile(path(), 'utf8')).split('\n')
  return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
}

async function revoked(): Promise<string[]> {
  return (await blocks()).flatMap(block => block.revoked.map(([how]) => how))
}

function record({ server: { context } }: Pick<World, 'server'>): Promise<void> {
  return writeLedger(context)
}

async function deleteOne(): Promise<string> {
  const { id } = await tenant.client.members.create({ name: 'Mary' })
  await tenant.client.members.delete(id)
  return id
}

test('the ledger tells how and when, and names nobody', async () => {
  const id = await deleteOne()
  const { client } = tenant
  await client.members.edit(id, { is_deleted: false })
  await client.members.edit(id, { name: 'Anna' })
  await client.members.edit(id, { ends_at: '2029-01-01T00:00:00Z' })
  await record(w)
  await client.members.edit(id, { ends_at: '2026-01-01T00:00:00Z' })
  await record(w)
  expect(await revoked()).toEqual(['deleted', 'restored', 'noted', 'changed'])
  const text = await readFile(path(), 'utf8')
  for (const word of [id, 'Mary', 'Anna', tenant.organization_id]) expect(text).not.toContain(word)
  // Nothing happened: nothing is written, until an hour has passed.
  await record(w)
  expect(await readFile(path(), 'utf8')).toBe(text)
  // Not a number of its own: while a transaction of another test is open, events come in two blocks.
  const { length } = await blocks()
  w.clock.advance(3601)
  await record(w)
  expect(await blocks()).toHaveLength(length + 1)
})

test('a process that is killed at any point leaves no hole: the next one goes on', async () => {
  await deleteOne()
  // Killed before the block: the position of the feed is where it was.
  await there.stop()
  w = await there.start()
  const { client } = { client: await clientAt(w, tenant) }
  await record(w)
  expect(await revoked()).toEqual(['deleted'])
  // Killed between the block and its copy, and in the middle of writing the copy.
  const { id } = await client.members.create({})
  await client.members.delete(id)
  await record(w)
  const whole = await readFile(path(), 'utf8')
  for (const cut of [whole.length - 40, whole.lastIndexOf('{"written_at"') + 20]) {
    await writeFile(path(), whole.slice(0, cut))
    await record(w)
    expect(await readFile(path(), 'utf8')).toBe(whole)
  }
  expect(await revoked()).toEqual(['deleted', 'deleted'])
})

test('what a lasting transaction holds back from readers is told at once, and once', async () => {
  const { db, feed } = w.server.context
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const lasting = db.transaction(async inner => {
    await inner.query('SELECT pg_current_xact_id()')
    await promise
  })
  await deleteOne()
  await expect.poll(() => feed.lag()).toBeGreaterThan(0)
  for (let round = 0; round < 2; round++) await record(w)
  expect(await revoked()).toEqual(['deleted'])
  end()
  await lasting
  await expect.poll(() => feed.lag()).toBe(0)
  await record(w)
  expect(await revoked()).toEqual(['deleted'])
})

test('what lies behind many events that revoke nothing is told too', async () => {
  const { db, feed } = w.server.context
  await deleteOne()
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_many' || n, $1, '{}', 'use', '{"type":"gadget_action"}', now(), now(), false FROM generate_series(1, 20001) n`,
    [tenant.organization_id],
  )
  await deleteOne()
  await expect.poll(() => feed.lag()).toBe(0)
  await record(w)
  expect(await revoked()).toEqual(['deleted', 'deleted'])
  const [progress] = await db.query<{ position: string }>('SELECT position FROM ledger_progress')
  expect(progress?.position).toBe(await feed.head())
})

test('several processes that write at once tell each revocation once', async () => {
  const other = await there.start()
  for (let round = 0; round < 3; round++) {
    await deleteOne()
    await Promise.all([w, other].map(record))
  }
  await record(w)
  expect(await revoked()).toEqual(['deleted', 'deleted', 'deleted'])
  const hashes = (await blocks()).map(({ previous }) => previous)
  expect(new Set(hashes).size).toBe(hashes.length)
  await w[Symbol.asyncDispose]()
})

test('a database that is set back unnoticed loses nothing of the ledger, and a later mark applies it', async () => {
  const { id } = await tenant.client.members.create({ name: 'Mary' })
  await there.stop()
  const backup = await there.copy()
  w = await there.start()
  await (await clientAt(w, tenant)).members.delete(id)
  await record(w)
  await there.stop()
  there.setBack(backup)
  w = await there.start()
  const client = await clientAt(w, tenant)
  const later = await client.members.create({})
  await client.members.delete(later.id)
  await record(w)
  await record(w)
  expect(await revoked()).toEqual(['deleted', 'deleted'])
  expect((await client.members.get(id)).is_deleted).toBe(false)
  await there.stop()
  await there.mark()
  await using db = connect({ url: there.database_url }, 1)
  const [row] = await db.query<{ is_deleted: boolean }>('SELECT is_deleted FROM members WHERE id = $1', [id])
  expect(row?.is_deleted).toBe(true)
})

test('a block that was removed, altered or signed by somebody else is noticed', async () => {
  for (let count = 0; count < 2; count++) {
    await deleteOne()
    await record(w)
  }
  await there.stop()
  const text = await readFile(path(), 'utf8')
  const documents = text.match(/[^\n]+\n[^\n]+\n/g) ?? []
  await writeFile(path(), [documents[0], documents[2]].join(''))
  await expect(there.mark()).rejects.toThrow('blocks were removed')
  await writeFile(path(), text.replace('"deleted"', '"changed"'))
  await expect(there.mark()).rejects.toThrow('Block 2')
  await writeFile(path(), text)
  await appendFile(path(), '{"written_at":"unfin')
  await there.mark()
})
