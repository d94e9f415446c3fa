import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connect, type Pool, verifyAudit } from '@gatehouse-access/server'
import { expect, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { writeLedger } from '../../packages/server/src/recovery/ledger/write-ledger.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { building, guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { requester, succeed } from '../properties/ask.ts'
import { clientAt, Installation } from './installation.ts'

const name = 'Wilhelmina Featherstonehaugh'

/** Returns the files of the database that contain the text. */
async function filesWith(db: Pool, text: string): Promise<string[]> {
  await db.query('CHECKPOINT', [], { prepare: false })
  const [row] = await db.query<{ folder: string }>(
    `SELECT current_setting('data_directory') || '/base/' || oid AS folder FROM pg_database WHERE datname = current_database()`,
  )
  const found = await promisify(execFile)('grep', ['-rla', '--', text, row?.folder ?? '']).catch(
    (error: { code: number; stdout: string }) => error,
  )
  return found.stdout.split('\n').filter(Boolean)
}

test('whoever was erased after the backup is erased again: served nowhere, and in no file of the database', async () => {
  await using there = await Installation.open()
  const w = await there.start()
  const tenant = await w.tenant()
  const { id } = await tenant.client.members.create({ name, metadata: { passport: name } })
  await tenant.client.member_emails.create(id, { email: 'wilhelmina@example.com' })
  const { organization_id } = tenant
  const card = await tenant.client.member_cards.create(id, { uid: '04A1B2C3D4E5F6' })
  await tenant.client.cards.edit(card.card_id, { name })
  const other = await tenant.client.members.create({ name: 'Paul' })
  const headers = { 'idempotency-key': 'once' }
  await succeed(requester(w.url, tenant.token), {
    method: 'PATCH',
    path: `/members/${id}`,
    body: { name },
    headers,
  })
  const { db: before, clock } = w.server.context
  const [used = ''] = await logEvents(before, [
    {
      organization_id,
      subject: { member_id: id },
      verb: 'use',
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      recorded_at: clock.now(),
    },
  ])
  const count = async (table: string) =>
    (await w.server.context.db.query<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count
  await expect.poll(async () => (await count('audit_links')) === (await count('events'))).toBe(true)
  await there.stop()
  const backup = await there.copy()

  const after = await there.start()
  await (await clientAt(after, tenant)).members.erase(id, { includes_cards: true, events: 'delete' })
  await writeLedger(after.server.context)
  await there.stop()
  there.setBack(backup)
  await using db = connect({ url: backup }, 2)
  // Statistics quote values, too.
  await db.query('ANALYZE members', [], { prepare: false })
  expect((await filesWith(db, name)).length).toBeGreaterThan(0)
  const changes = [{ field: 'member_ids', before: [id], after: [id, other.id] }]
  const object = { type: 'legal_hold' as const, legal_hold_id: 'lh_00000000000000000000', changes }
  const [unsealed = ''] = await logEvents(db, [
    { organization_id, subject: {}, verb: 'edit', object, recorded_at: new Date().toISOString() },
  ])
  await there.mark()

  expect(await filesWith(db, name)).toEqual([])
  expect(await filesWith(db, 'wilhelmina@example.com')).toEqual([])
  const again = await there.start()
  const client = await clientAt(again, tenant)
  expect(await client.members.get(id)).toMatchObject({
    name: null,
    metadata: {},
    is_deleted: true,
    erased_at: expect.any(String),
  })
  expect(await client.members.get(other.id)).toMatchObject({ name: 'Paul', is_deleted: false })
  expect(await client.cards.get(card.card_id)).toMatchObject({ name: null })
  await expect(client.events.get(used)).rejects.toMatchObject({ status: 404 })
  expect((await client.events.get(unsealed)).object.changes).toMatchObject([
    { before: [], after: [other.id] },
  ])
  expect(await db.query('SELECT 1 FROM idempotency_keys WHERE answer IS NOT NULL')).toEqual([])
  const { secret_keys } = again.server.context.config
  // The receipt counts once it is linked.
  const verify = () => verifyAudit(again.server.context.db, { secret_keys })
  await expect.poll(verify).toMatchObject({ breaks: [], amended: 5, unreceipted: 0 })
})

test('a controller that was away all the time forgets whom the restore has erased again', async () => {
  await using there = await Installation.open()
  const w = await there.start()
  const tenant = await w.tenant()
  const place = await building(w, tenant)
  const { member } = await guest(tenant, place.group.id, '402930')
  const stays = (await guest(tenant, place.group.id, '402931')).member
  const device = await ScriptedDevice.connect(place.credentials)
  await device.until(() => device.member(member.id) !== undefined && device.member(stays.id) !== undefined)
  await expect.poll(async () => (await tenant.client.members.sync(stays.id)).state).toBe('applied')
  await device.close()
  await there.stop()
  const backup = await there.copy()

  const after = await there.start()
  await (await clientAt(after, tenant)).members.erase(member.id)
  await writeLedger(after.server.context)
  await there.stop()
  there.setBack(backup)
  await there.mark()
  const again = await there.start()
  const credentials = { ...place.credentials, url: again.url }
  const early = await ScriptedDevice.connect(credentials, device)
  expect(await gatehouse(['restore', 'confirm'], there.env)).toMatchObject({ code: 0 })
  await early.closed
  const back = await ScriptedDevice.connect(credentials, early)
  expect(early.member(member.id)).toBeDefined()
  await back.until(() => back.member(member.id) === undefined)
  expect(back.member(stays.id)).toBeDefined()
  await back.close()
})
