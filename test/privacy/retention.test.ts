import { noPrivacy, type Periods } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { runRetention } from '@gatehouse-access/server'
import type { Tenant } from '@gatehouse-access/testkit'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { type EventDraft, logEvents } from '../../packages/server/src/store/event-log.ts'
import { type Ledger, openLedger } from '../audit/ledger.ts'
import { neverId } from '../properties/one-of-each.ts'

let l: Ledger
let opened: Promise<Ledger> | undefined
let tenant: Tenant
afterAll(() => l[Symbol.asyncDispose]())

// Of the organizations of other tests nothing expires any more.
beforeEach(async () => {
  opened ??= openLedger()
  l = await opened
  await l.run('UPDATE organizations SET privacy = $1', noPrivacy)
  tenant = await l.w.tenant()
})

const day = 86_400
const member_id = neverId('member')
const other_id = 'mem_00000000000000000001'
const [door, gate] = [neverId('gadget'), 'gad_00000000000000000001']
const user_id = neverId('user')

async function set(periods: Periods): Promise<void> {
  const privacy = { ...noPrivacy, ...periods }
  await l.run('UPDATE organizations SET privacy = $2 WHERE id = $1', tenant.organization_id, privacy)
}

/** Nobody asks for anything meanwhile. */
function run(): Promise<number> {
  return runRetention({ ...l.w.server.context, traffic: { isBusy: () => false } as never })
}

type Draft = Pick<EventDraft, 'verb' | 'subject' | 'object'>

/** Records events that happened so many seconds ago, and waits until the audit chain has them. */
async function happened(age: number, drafts: readonly Draft[], recorded = age): Promise<string[]> {
  const { db, clock } = l.w.server.context
  const [created_at, recorded_at] = [addSeconds(clock.now(), -age), addSeconds(clock.now(), -recorded)]
  const { organization_id } = tenant
  const ids = await logEvents(
    db,
    drafts.map(draft => ({ ...draft, organization_id, created_at, recorded_at })),
  )
  await expect
    .poll(() => l.run('SELECT 1 FROM audit_links WHERE event_id = ANY($1::text[])', ids))
    .toHaveLength(ids.length)
  return ids
}

const use = (gadget_id: string = door, who: string = member_id): Draft => ({
  verb: 'use',
  subject: { member_id: who, access_method: 'pin', ip_address: '203.0.113.7' },
  object: { type: 'gadget_action', gadget_id, gadget_action_id: 'open' },
})
const state: Draft = {
  verb: 'edit',
  subject: {},
  object: { type: 'gadget_state', gadget_id: door, gadget_state_id: 'open' },
}

/** What the chain of the organization says of its events, of which none is broken. */
async function verified() {
  await expect
    .poll(() =>
      l.run(
        `SELECT 1 FROM events e WHERE organization_id = $1
         AND NOT EXISTS (SELECT 1 FROM audit_links k WHERE k.organization_id = $1 AND k.event_id = e.id)`,
        tenant.organization_id,
      ),
    )
    .toEqual([])
  const { breaks } = await l.verify()
  expect(breaks).toEqual([])
  const [counts] = await l.run(
    `SELECT count(*) FILTER (WHERE kind = 'unlinked')::integer AS amended, count(*) FILTER (WHERE kind = 'deleted')::integer AS deleted,
       count(*) FILTER (WHERE c.act IS NULL)::integer AS open
     FROM audit_amendments a LEFT JOIN audit_acts c USING (organization_id, act) WHERE organization_id = $1`,
    tenant.organization_id,
  )
  return counts
}

/** How many events of these still name a member. */
async function linked(ids: readonly string[]): Promise<boolean[]> {
  const rows = await l.run(
    `SELECT id, subject ? 'member_id' OR object ? 'member_id' AS is_linked FROM events WHERE id = ANY($1::text[])`,
    ids,
  )
  const found = new Map(rows.map(row => [row.id, row.is_linked === true]))
  return ids.map(id => found.get(id) ?? false)
}

test('events lose their person to the second, and doors keep their counts', async () => {
  await set({ access_days: 90 })
  const [kept = ''] = await happened(90 * day - 1, [use()])
  const old = await happened(90 * day + 3600, [
    use(),
    use(gate, other_id),
    {
      verb: 'create',
      subject: { member_id },
      object: { type: 'access_denial', gadget_id: door, reason: 'no_association' },
    },
    {
      verb: 'reveal',
      subject: { user_id, ip_address: '203.0.113.8' },
      object: { type: 'member_pin', member_id, member_pin_id: neverId('member_pin') },
    },
  ])
  const [edit = ''] = await happened(200 * day, [
    {
      verb: 'edit',
      subject: { user_id },
      object: { type: 'member', member_id, changes: [{ field: 'name', before: 'Ana', after: 'Eva' }] },
    },
  ])
  const counts = () =>
    l.run(
      `SELECT object->>'gadget_id' AS door, created_at::date::text AS day, verb, object->>'reason' AS reason, count(*)::integer FROM events WHERE organization_id = $1
       GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
      tenant.organization_id,
    )
  const before = await counts()
  expect(await run()).toBe(4)
  expect(await counts()).toEqual(before)
  expect(await linked([kept, ...old, edit])).toEqual([true, false, false, false, false, true])
  const revealed = await tenant.client.events.get(old[3] ?? '')
  expect(revealed).toMatchObject({ is_unlinked: true, subject: { user_id, ip_address: '203.0.113.8' } })
  expect(await verified()).toEqual({ amended: 4, deleted: 0, open: 4 })

  // It goes by the second; again and again changes nothing more.
  expect(await run()).toBe(0)
  l.w.clock.advance(2)
  expect(await run()).toBe(1)
  expect(await linked([kept])).toEqual([false])
})

test('a day has one receipt, once it is over', async () => {
  await set({ access_days: 30 })
  await happened(31 * day, [use(), use()])
  await run()
  l.w.clock.advance(day)
  await happened(31 * day, [use()])
  await run()
  const receipts = () =>
    l.run(
      `SELECT object FROM events WHERE organization_id = $1 AND object->>'reason' = 'retention'`,
      tenant.organization_id,
    )
  expect(await receipts()).toMatchObject([
    { object: { type: 'organization', receipt_hash: expect.any(String) } },
  ])
  expect(await verified()).toEqual({ amended: 3, deleted: 0, open: 1 })
  l.w.clock.advance(day)
  await run()
  expect(await receipts()).toHaveLength(2)
  expect(await verified()).toEqual({ amended: 3, deleted: 0, open: 0 })
})

test('what a controller tells late expires too', async () => {
  await set({ access_days: 30 })
  await happened(35 * day, [use()])
  expect(await run()).toBe(1)
  l.w.clock.advance(600)
  // Older than what was looked at, and told only now.
  const late = await happened(60 * day, [use(), state], 0)
  l.w.clock.advance(300)
  expect(await run()).toBe(1)
  expect(await linked(late)).toEqual([false, false])
})

test('edits lose where they came from and what they said of people; who acted stays', async () => {
  await set({ other_days: 365 })
  const subject = { user_id, ip_address: '203.0.113.7', client: { browser: 'Firefox' } }
  const [edit = '', rule = '', invitation = ''] = await happened(366 * day, [
    {
      verb: 'edit',
      subject,
      object: {
        type: 'member',
        member_id,
        changes: [
          { field: 'name', before: 'Ana', after: 'Eva' },
          { field: 'starts_at', before: null, after: '2026-01-01T00:00:00.000000Z' },
        ],
      },
    },
    {
      verb: 'edit',
      subject: { user_id },
      object: { type: 'gadget', changes: [{ field: 'device_id', before: null, after: neverId('device') }] },
    },
    { verb: 'create', subject: { user_id }, object: { type: 'invitation', name: 'ana@example.com' } },
  ])
  await happened(366 * day, [use()])
  expect(await run()).toBe(2)
  const { client } = tenant
  const left = await client.events.get(edit)
  expect(left).toMatchObject({
    is_unlinked: false,
    subject: { user_id, ip_address: null, client: null },
    object: {
      member_id,
      changes: [{ field: 'name' }, { field: 'starts_at', after: '2026-01-01T00:00:00.000000Z' }],
    },
  })
  expect(JSON.stringify(left)).not.toMatch(/Ana|Eva|Firefox/)
  expect((await client.events.get(rule)).object.changes?.[0]).toMatchObject({ after: neverId('device') })
  expect((await client.events.get(invitation)).object.name ?? null).toBeNull()
  await verified()
  expect(await run()).toBe(0)
})

test('what is deleted leaves a chain that can be verified, also where the chain then begins later', async () => {
  await set({ access_days: 30, access_delete_days: 90, device_days: 7 })
  const going = [...(await happened(91 * day, [use(), use()])), ...(await happened(8 * day, [state]))]
  const [young = '', unlinked = ''] = [
    ...(await happened(6 * day, [state])),
    ...(await happened(40 * day, [use()])),
  ]
  expect(await run()).toBe(4)
  expect(await l.run('SELECT id FROM events WHERE id = ANY($1::text[])', going)).toEqual([])
  expect(await linked([unlinked])).toEqual([false])
  expect(await tenant.client.events.get(young)).toMatchObject({ id: young })
  expect(await verified()).toEqual({ amended: 1, deleted: 3, open: 4 })
})

test('whole stretches at the old end are cut off', async () => {
  const { organization_id } = tenant
  await verified()
  // As of an organization whose history was moved here without its beginning.
  await l.run('DELETE FROM events WHERE organization_id = $1', organization_id)
  await l.run('DELETE FROM audit_links WHERE organization_id = $1', organization_id)
  await l.run('DELETE FROM audit_heads WHERE organization_id = $1', organization_id)
  await happened(
    20 * day,
    Array.from({ length: 30 }, () => state),
  )
  const [edit = ''] = await happened(20 * day, [
    { verb: 'edit', subject: { user_id }, object: { type: 'site' } },
  ])
  const later = await happened(20 * day, [state])
  await l.checkpoint()
  await set({ device_days: 7 })
  expect(await run()).toBe(31)
  expect(await l.run('SELECT number FROM audit_starts WHERE organization_id = $1', organization_id)).toEqual([
    { number: '30' },
  ])
  expect(
    await l.run(
      'SELECT min(number) AS first, count(*)::integer FROM audit_links WHERE organization_id = $1',
      organization_id,
    ),
  ).toEqual([{ first: '31', count: 2 }])
  expect(await l.run('SELECT id FROM events WHERE organization_id = $1', organization_id)).toEqual([
    { id: edit },
  ])
  expect(await verified()).toEqual({ amended: 0, deleted: later.length, open: later.length })
})

test('months of which nothing is left are dropped', async () => {
  const { db, clock } = l.w.server.context
  const past = addSeconds(clock.now(), -1500 * day)
  const month = `events_${past.slice(0, 7).replace('-', '_')}`
  await l.run('SELECT make_event_partition($1::date)', past)
  const exists = async () =>
    (await db.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [month]))[0]?.name
  await happened(1500 * day, [use(), state])
  await set({ device_days: 30 })
  await run()
  expect(await exists()).toBe(month)
  await set({ device_days: 30, access_delete_days: 30 })
  await run()
  expect(await exists()).toBeNull()
  await verified()
})

test('a legal hold spares exactly what it covers, until it ends', async () => {
  await set({ access_days: 30 })
  const held = await happened(50 * day, [use(door, member_id)])
  const free = [
    ...(await happened(50 * day, [use(gate, member_id), use(door, other_id)])),
    ...(await happened(70 * day, [use(door, member_id)])),
  ]
  const { clock } = l.w
  await l.run(
    `INSERT INTO legal_holds (id, organization_id, name, member_ids, gadget_ids, starts_at, ends_at, expires_at, is_deleted, created_at, metadata, search_text)
     VALUES ('lh_00000000000000000000', $1, 'Case', $2, $3, $4, $5, $6, false, $7, '{}', 'case')`,
    tenant.organization_id,
    [member_id],
    [door],
    addSeconds(clock.now(), -60 * day),
    addSeconds(clock.now(), -40 * day),
    addSeconds(clock.now(), 10 * day),
    clock.now(),
  )
  expect(await run()).toBe(3)
  expect(await linked([...held, ...free])).toEqual([true, false, false, false])
  expect(await run()).toBe(0)
  clock.advance(10 * day)
  expect(await run()).toBe(1)
  expect(await linked(held)).toEqual([false])
  await verified()
})

test('deleted members are erased when their time is over, unless they were restored', async () => {
  const { client } = tenant
  const [gone, back, young] = [
    await client.members.create({ name: 'Xochitl' }),
    await client.members.create({}),
    await client.members.create({}),
  ]
  await client.members.delete(gone.id)
  await client.members.delete(back.id)
  await client.members.edit(back.id, { is_deleted: false })
  await set({ member_days: 30 })
  l.w.clock.advance(30 * day - 60)
  await client.members.delete(young.id)
  await run()
  expect((await client.erasures.list()).data).toEqual([])
  l.w.clock.advance(120)
  await run()
  expect((await client.erasures.list()).data).toMatchObject([{ member_id: gone.id, reason: 'retention' }])
  expect(await client.members.get(gone.id)).toMatchObject({ name: null, erased_at: expect.any(String) })
  await run()
  expect((await client.erasures.list()).data).toHaveLength(1)
})

test('nothing expires of others, nor without periods, nor before a shortening takes effect', async () => {
  await happened(1000 * day, [use(), state])
  expect(await run()).toBe(0)
  const { clock } = l.w
  await set({ access_days: 30 })
  const pending = { takes_effect_at: addSeconds(clock.now(), 3600), in_force: noPrivacy }
  await l.run('UPDATE organizations SET privacy_pending = $2 WHERE id = $1', tenant.organization_id, pending)
  expect(await run()).toBe(0)
  clock.advance(3600)
  expect(await run()).toBe(1)
  expect(await tenant.client.organization.get()).toMatchObject({ privacy_pending: null })
  const { data } = await tenant.client.events.list({ 'object.type': 'organization', verb: 'edit' } as never)
  expect(data[0]?.object.changes).toMatchObject([{ field: 'privacy_pending', after: null }])
})

test('retention takes nothing from the pace of erasures that are asked for', async () => {
  const { client } = tenant
  const ids: string[] = []
  for (let count = 0; count < 101; count++) ids.push((await client.members.create({ name: 'Old' })).id)
  const asked = await client.members.create({ name: 'Asked' })
  for (const id of ids) await client.members.delete(id)
  await set({ member_days: 30 })
  l.w.clock.advance(31 * day)
  await run()
  const [row] = await l.run(
    'SELECT count(*)::integer AS count FROM erasures WHERE organization_id = $1',
    tenant.organization_id,
  )
  expect(row?.count).toBe(101)
  expect(await client.members.erase(asked.id, {})).toMatchObject({ member_id: asked.id })
})

async function hold(member_ids: readonly string[], id: string): Promise<void> {
  await l.run(
    `INSERT INTO legal_holds (id, organization_id, name, member_ids, expires_at, is_deleted, created_at, metadata, search_text)
     VALUES ($1, $2, 'Case', $3, $4, false, $5, '{}', '')`,
    id,
    tenant.organization_id,
    member_ids,
    addSeconds(l.w.clock.now(), 60 * day),
    l.w.clock.now(),
  )
}

test('an erasure of retention that a hold blocks comes again if it is canceled, and spares who was restored', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Held' })
  const kept = await client.members.create({ name: 'Back' })
  const hold_id = 'lh_00000000000000000001'
  await hold([id, kept.id], hold_id)
  for (const member of [id, kept.id]) await client.members.delete(member)
  await set({ member_days: 30 })
  l.w.clock.advance(31 * day)
  await run()
  const of = async (member: string) =>
    (await client.erasures.list({ member_id: member })).data.map(({ state }) => state).sort()
  expect([await of(id), await of(kept.id)]).toEqual([['blocked'], ['blocked']])
  const [erasure] = (await client.erasures.list({ member_id: id })).data
  await client.erasures.cancel(erasure?.id ?? '')
  await run()
  await run()
  expect(await of(id)).toEqual(['blocked', 'canceled'])
  // Without the period it stays canceled.
  const [again] = (await client.erasures.list({ member_id: id, state: 'blocked' })).data
  await client.erasures.cancel(again?.id ?? '')
  await set({ member_days: 90 })
  await run()
  expect(await of(id)).toEqual(['canceled', 'canceled'])
  await set({ member_days: 30 })
  await run()
  await client.members.edit(kept.id, { is_deleted: false })
  await l.run('UPDATE legal_holds SET is_deleted = true WHERE id = $1', hold_id)
  await expect
    .poll(async () => {
      l.w.clock.advance(11)
      await tendErasures(l.w.server.context)
      return [(await client.members.get(id)).erased_at === null, await of(kept.id)]
    })
    .toEqual([false, ['canceled']])
  expect(await client.members.get(kept.id)).toMatchObject({ name: 'Back', is_deleted: false })
})

test('who was restored and deleted again while a hold blocked retention has all the days once more', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Again' })
  const hold_id = 'lh_00000000000000000002'
  await hold([id], hold_id)
  await client.members.delete(id)
  await set({ member_days: 30 })
  l.w.clock.advance(31 * day)
  await run()
  const states = async () =>
    (await client.erasures.list({ member_id: id })).data.map(({ state }) => state).sort()
  expect(await states()).toEqual(['blocked'])
  await client.members.edit(id, { is_deleted: false })
  l.w.clock.advance(60)
  await client.members.delete(id)
  await l.run('UPDATE legal_holds SET is_deleted = true WHERE id = $1', hold_id)
  await expect
    .poll(async () => {
      l.w.clock.advance(11)
      await tendErasures(l.w.server.context)
      return states()
    })
    .toEqual(['canceled'])
  await run()
  expect(await client.members.get(id)).toMatchObject({ name: 'Again', erased_at: null })
  l.w.clock.advance(31 * day)
  await run()
  expect(await client.members.get(id)).toMatchObject({ name: null, erased_at: expect.any(String) })
})

test('who is due while an erasure that was asked for waits is erased also if that is canceled', async () => {
  const { client } = tenant
  const { id } = await client.members.create({ name: 'Asked' })
  await client.members.delete(id)
  await set({ member_days: 30 })
  l.w.clock.advance(20 * day)
  const scheduled_at = addSeconds(l.w.clock.now(), 29 * day)
  const asked = await client.erasures.create({ member_id: id, scheduled_at })
  l.w.clock.advance(11 * day)
  await run()
  expect(await client.members.get(id)).toMatchObject({ name: 'Asked', erased_at: null })
  await client.erasures.cancel(asked.id)
  await run()
  expect(await client.members.get(id)).toMatchObject({ name: null, erased_at: expect.any(String) })
})
