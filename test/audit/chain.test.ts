import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AuditOptions,
  deriveAuditKey,
  eraseEvent,
  verifyAudit,
  writeCheckpoint,
} from '@gatehouse-access/server'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sealEvents } from '../../packages/server/src/audit/seal.ts'

let w: World
let tenant: Tenant
let folder: string
let options: AuditOptions

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-checkpoints-'))
  w = await world({ delivery: true, checkpoint_dirs: [folder] })
  tenant = await w.tenant()
  const { secret_keys } = w.server.context.config
  options = { secret_keys, anchors: [folder] }
  for (let index = 0; index < 6; index++) await tenant.client.members.create({ name: `Member ${index}` })
  await sealed()
})
afterEach(async () => {
  await w[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const run = <R extends object = object>(text: string, ...params: unknown[]) =>
  w.server.context.db.query<R>(text, params)
const verify = () => verifyAudit(w.server.context.db, options)
const firstBreak = async () => (await verify()).breaks[0]

async function sealed(): Promise<void> {
  const count = async (table: string) =>
    Number((await run<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count)
  await expect.poll(async () => (await count('audit_links')) === (await count('events'))).toBe(true)
}

async function events(): Promise<string[]> {
  const rows = await run<{ id: string }>(
    'SELECT id FROM events WHERE organization_id = $1 ORDER BY transaction_id, sequence',
    tenant.organization_id,
  )
  return rows.map(({ id }) => id)
}

test('an untouched log verifies, with checkpoints in the database and in the folder', async () => {
  expect(await writeCheckpoint(w.server.context)).toBe(true)
  expect(await writeCheckpoint(w.server.context)).toBe(false)
  await tenant.client.members.create({})
  await sealed()
  expect(await writeCheckpoint(w.server.context, 3600)).toBe(false)
  w.clock.advance(3601)
  expect(await writeCheckpoint(w.server.context, 3600)).toBe(true)
  expect(await readdir(folder)).toHaveLength(3)
  expect(await verify()).toEqual({
    organizations: 1,
    events: 8,
    erased: 0,
    expired: 0,
    amended: 0,
    unreceipted: 0,
    checkpoints: 4,
    seals: true,
    purged: [],
    breaks: [],
  })
})

test('an altered event is named', async () => {
  const [, , id] = await events()
  await run(`UPDATE events SET verb = 'edit' WHERE id = $1`, id)
  expect(await firstBreak()).toMatchObject({ kind: 'altered', number: 3, event_id: id })
})

test('a removed event is named', async () => {
  const [, , id] = await events()
  await run('DELETE FROM events WHERE id = $1', id)
  expect(await firstBreak()).toMatchObject({ kind: 'removed', number: 3, event_id: id })
})

test('an inserted event is named', async () => {
  const [, , id] = await events()
  const stranger = `${id?.slice(0, -4)}zzzz`
  await run(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted, epoch, transaction_id)
     SELECT $2, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted, epoch, transaction_id FROM events WHERE id = $1`,
    id,
    stranger,
  )
  expect(await firstBreak()).toMatchObject({ kind: 'inserted', number: 4, event_id: stranger })
})

test('reordered events are named', async () => {
  const [, , one, other] = await events()
  await run(
    `UPDATE events e SET transaction_id = o.transaction_id FROM events o
     WHERE e.id IN ($1, $2) AND o.id IN ($1, $2) AND e.id <> o.id`,
    one,
    other,
  )
  expect(await firstBreak()).toMatchObject({ kind: 'reordered', number: 3, event_id: one })
})

test('a link that was taken out is named', async () => {
  await run('DELETE FROM audit_links WHERE organization_id = $1 AND number = 4', tenant.organization_id)
  expect(await firstBreak()).toMatchObject({ kind: 'link', number: 4 })
})

test('a cut tail is seen by the checkpoints', async () => {
  await writeCheckpoint(w.server.context)
  const [last] = (await events()).slice(-1)
  await run('DELETE FROM events WHERE id = $1', last)
  await run('DELETE FROM audit_links WHERE organization_id = $1 AND number = 7', tenant.organization_id)
  await run('UPDATE audit_heads SET number = 6')
  expect(await firstBreak()).toMatchObject({ kind: 'cut', number: 7 })
})

test('a rolled-back database, checkpoints and all, is seen by the folder alone', async () => {
  await writeCheckpoint(w.server.context)
  await run('DELETE FROM audit_checkpoints')
  await run('DELETE FROM audit_links WHERE number > 3')
  expect(await firstBreak()).toMatchObject({ kind: 'cut', number: 4 })
  expect((await verifyAudit(w.server.context.db, { ...options, anchors: [] })).breaks).toEqual([])
})

test('a chain that was made anew contradicts the checkpoints; a forged checkpoint is not signed', async () => {
  await writeCheckpoint(w.server.context)
  const [id] = await events()
  await run(`UPDATE events SET verb = 'edit' WHERE id = $1`, id)
  await run('DELETE FROM audit_links')
  await run('DELETE FROM audit_heads')
  await run(
    `UPDATE feed_cursors SET position = '0.0.0', owner = 'x', owned_until = NULL WHERE consumer = 'audit'`,
  )
  await sealed()
  expect(await firstBreak()).toMatchObject({ kind: 'checkpoint', number: 7 })
  await run(`UPDATE audit_checkpoints SET document = replace(document, '"number":7', '"number":8')`)
  expect(await firstBreak()).toMatchObject({
    kind: 'checkpoint',
    message: expect.stringContaining('not signed'),
  })
})

test('a person is erased and the chain still verifies', async () => {
  const [, id] = await events()
  const { db, config, clock } = w.server.context
  const key = deriveAuditKey(config.secret_keys[0] as Buffer)
  const erasure = { event_id: id as string, by: 'Ada', reason: 'asked for it' }
  await eraseEvent(db, key, clock.now(), erasure)
  await expect(eraseEvent(db, key, clock.now(), erasure)).rejects.toThrow('was already erased')
  expect(await verify()).toMatchObject({ events: 7, erased: 1, breaks: [] })
})

test('a checkpoint that is signed while links are added takes them for what they are', async () => {
  await using quiet = await world({ checkpoint_dirs: [folder] })
  const { context } = quiet.server
  const { client } = await quiet.tenant()
  await client.members.create({})
  // The feed waits for transactions of every database of the cluster, so also for those of other tests.
  await expect.poll(async () => (await context.feed.page({})).length).toBe(2)
  const [first, ...others] = await context.feed.page({})
  const { handle } = sealEvents(context)
  await context.db.transaction(db => handle(db, first ? [first] : []))
  let isSigned: Promise<boolean> | undefined
  await context.db.transaction(async db => {
    await handle(db, others)
    isSigned = writeCheckpoint(context)
    const waiting = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    await expect.poll(() => context.db.query(waiting)).toEqual([{ count: 1 }])
  })
  expect(await isSigned).toBe(true)
  expect(context.audit.alarm).toBeUndefined()
})
