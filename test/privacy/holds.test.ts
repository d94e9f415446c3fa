import { purgeOrganizations } from '@gatehouse-access/server'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEventHeld } from '../../packages/server/src/erasing/holds.ts'
import { tendErasures } from '../../packages/server/src/services/erasures/tend-erasures.ts'
import { openStage } from '../oauth/stage.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { allSealed, clientOf, workUntil } from './erase.ts'
import { asUser } from './owner.ts'

let w: World
let owner: Visitor
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, organization_id } = await openStage({ delivery: true }))
})
afterAll(() => w[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: object) =>
  asUser(owner, organization_id)<Record<string, unknown> & { id: string }>(method, path, body)
const ahead = (seconds: number) => new Date(Date.parse(w.clock.now()) + seconds * 1000).toISOString()

/** Expects that an erasure that nothing holds any more is done within a minute, by the clock of the service. */
async function expectDoneSoon(id: string): Promise<void> {
  const state = async () => (await ask('GET', `/erasures/${id}`)).body.state
  for (let passed = 0; passed < 60 && (await state()) !== 'done'; passed += 4) {
    w.clock.advance(4)
    // However long that takes on a busy machine.
    await allSealed(w)
    await tendErasures(w.server.context)
  }
  expect(await state()).toBe('done')
}

test('only an owner sets a hold, with a session and an end', async () => {
  const { client } = await w.tenant()
  const hold = { name: 'Case', expires_at: ahead(3600) }
  await expect(client.legal_holds.create(hold)).rejects.toMatchObject({
    status: 403,
    args: { reason: 'owner_session_only' },
  })
  for (const wrong of [
    { name: 'Case' },
    { ...hold, expires_at: ahead(-1) },
    { ...hold, expires_at: ahead(6 * 366 * 86_400) },
  ])
    expect(await ask('POST', '/legal_holds', wrong)).toMatchObject({
      status: 400,
      body: { args: { field: 'expires_at' } },
    })
  const period = { ...hold, starts_at: ahead(60), ends_at: ahead(50) }
  expect(await ask('POST', '/legal_holds', period)).toMatchObject({
    status: 400,
    body: { args: { field: 'ends_at' } },
  })
})

test('whom a hold covers is erased once it has ended', async () => {
  const client = clientOf(owner, organization_id)
  const { body: member } = await ask('POST', '/members', { name: 'Held' })
  const { body: hold } = await ask('POST', '/legal_holds', {
    name: 'Case',
    member_ids: [member.id],
    expires_at: ahead(86_400),
  })
  const dry = await ask('POST', '/erasures?dry_run=true', { member_id: member.id })
  expect(dry.body).toMatchObject({ state: 'blocked' })
  const { body: erasure } = await ask('POST', '/erasures', { member_id: member.id })
  expect(erasure).toMatchObject({ state: 'blocked', counts: { objects: 0 } })
  await workUntil(w, client, erasure.id, 'blocked')
  expect((await ask('GET', `/members/${member.id}`)).body).toMatchObject({ name: 'Held', is_deleted: false })
  // What holds the member is not looked for meanwhile: it takes long.
  const { db, ...context } = w.server.context
  const texts: string[] = []
  const query = (...asked: Parameters<typeof db.query>) => {
    texts.push(asked[0])
    return db.query(...asked)
  }
  w.clock.advance(11)
  await tendErasures({ ...context, db: { ...db, query: query as typeof db.query } })
  expect(texts.some(text => text.includes('legal_holds'))).toBe(true)
  expect(texts.filter(text => /is_late|device_groups/.test(text))).toEqual([])
  await ask('DELETE', `/legal_holds/${hold.id}`)
  await expectDoneSoon(erasure.id)
  expect((await ask('GET', `/members/${member.id}`)).body).toMatchObject({ name: null, is_deleted: true })
  expect((await ask('GET', `/legal_holds/${hold.id}`)).body).toMatchObject({ member_ids: [] })
})

test('a hold that expires lets go by itself; one of doors and times covers who was there', async () => {
  const { body: there } = await ask('POST', '/members', { name: 'There' })
  w.clock.advance(10)
  const boundary = w.clock.now()
  w.clock.advance(10)
  const { body: later } = await ask('POST', '/members', { name: 'Later' })
  await ask('POST', '/legal_holds', { name: 'That minute', ends_at: boundary, expires_at: ahead(600) })
  const { db } = w.server.context
  const held = await db.query<{ id: string }>(
    `SELECT e.object->>'member_id' AS id FROM events e WHERE organization_id = $1 AND ${isEventHeld('e', '$2')} AND e.object->>'type' = 'member'`,
    [organization_id, w.clock.now()],
  )
  expect(held.map(({ id }) => id)).toContain(there.id)
  expect(held.map(({ id }) => id)).not.toContain(later.id)
  const { body: free } = await ask('POST', '/erasures', { member_id: later.id })
  expect(free.state).toBe('running')
  const { body: erasure } = await ask('POST', '/erasures', { member_id: there.id })
  expect(erasure.state).toBe('blocked')
  w.clock.advance(601)
  await expectDoneSoon(erasure.id)
})

test('a deleted organization is removed only when its holds have ended', async () => {
  const { db } = w.server.context
  const { body } = await owner.account<{ id: string }>('POST', '/account/organizations', { name: 'Kept' })
  const hold = { name: 'Case', expires_at: ahead(40 * 86_400) }
  const set = await asUser(owner, body.id)('POST', '/legal_holds', hold)
  expect(set.status).toBe(200)
  await owner.account('DELETE', `/account/organizations/${body.id}`)
  const left = () => db.query('SELECT 1 FROM events WHERE organization_id = $1 LIMIT 1', [body.id])
  w.clock.advance(31 * 86_400)
  await purgeOrganizations(w.server.context)
  expect(await left()).toHaveLength(1)
  w.clock.advance(10 * 86_400)
  await purgeOrganizations(w.server.context)
  expect(await left()).toHaveLength(0)
})
