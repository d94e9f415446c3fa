import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, signUp } from '../oauth/people.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { raiseAlarm } from './raise-alarm.ts'

let w: World
let owner: Visitor
let organization_id: string
let user_id: string

beforeAll(async () => {
  w = await world({ is_reachable: true })
  owner = await signUp(w, 'owner@example.com', 'Olivia')
  organization_id = await found(owner)
  const { body } = await owner.account<{ user: { id: string } }>('GET', '/account/session')
  user_id = body.user.id
})
afterAll(() => w[Symbol.asyncDispose]())

const raise = (state?: string) => raiseAlarm(w, { organization_id, user_id }, state)

async function find(id: string) {
  const [row] = await w.server.context.db.query<{ state: string; acknowledged_by_user_id: string | null }>(
    'SELECT state, acknowledged_by_user_id FROM alarms WHERE id = $1',
    [id],
  )
  return row
}

/** As a service worker does: without cookies. */
async function answer(token: unknown, method = 'POST'): Promise<number> {
  const url = new URL('/push/acknowledge', w.server.context.config.public_url)
  if (method !== 'POST') url.searchParams.set('token', String(token))
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'text/html,*/*' },
    ...(method === 'POST' && { body: JSON.stringify({ token }) }),
  })
  await response.arrayBuffer()
  return response.status
}

test('a notification acknowledges its alarm as the user, once', async () => {
  const { id, token } = await raise()
  expect(await answer(token)).toBe(200)
  expect(await find(id)).toEqual({ state: 'acknowledged', acknowledged_by_user_id: user_id })
  const [event] = await w.server.context.db.query<{ subject: { user_id: string } }>(
    `SELECT subject FROM events WHERE object->>'alarm_id' = $1 AND verb = 'edit'`,
    [id],
  )
  expect(event?.subject.user_id).toBe(user_id)
  expect(await answer(token)).toBe(404)
})

test('a GET changes nothing, and the token still works afterwards', async () => {
  const { id, token } = await raise()
  for (const method of ['GET', 'HEAD', 'DELETE']) expect(await answer(token, method)).toBe(404)
  expect((await find(id))?.state).toBe('open')
  expect(await answer(token)).toBe(200)
})

test('wrong, foreign and old tokens acknowledge nothing', async () => {
  const { id, token } = await raise()
  expect(await answer(`${token}x`)).toBe(404)
  expect([await answer(undefined), await answer(7), await answer('x'.repeat(101))]).toEqual([400, 400, 400])
  w.clock.advance(24 * 3600 + 1)
  expect(await answer(token)).toBe(404)
  expect((await find(id))?.state).toBe('open')
})

test('whoever has lost the right since acknowledges nothing', async () => {
  const { id, token } = await raise()
  const place = [organization_id, user_id] as const
  const { db } = w.server.context
  await db.query(
    `UPDATE organization_users SET role = 'viewer' WHERE organization_id = $1 AND user_id = $2`,
    place,
  )
  expect(await answer(token)).toBe(403)
  await db.query('DELETE FROM organization_users WHERE organization_id = $1 AND user_id = $2', place)
  expect(await answer(token)).toBe(404)
  expect((await find(id))?.state).toBe('open')
  await db.query(
    `INSERT INTO organization_users (organization_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`,
    place,
  )
  expect(await answer(token)).toBe(200)
})

test('whom an administrator has signed out acknowledges nothing with what was sent before', async () => {
  const [before, { db, clock }] = [await raise(), w.server.context]
  const signOut = (at: string | null) =>
    db.query('UPDATE organization_users SET signed_out_at = $2 WHERE user_id = $1', [user_id, at])
  await signOut(clock.now())
  expect(await answer(before.token)).toBe(403)
  w.clock.advance(1)
  expect(await answer((await raise()).token)).toBe(200)
  await signOut(null)
})

test('a closed alarm stays closed', async () => {
  const { id, token } = await raise('closed')
  expect(await answer(token)).toBe(400)
  expect((await find(id))?.state).toBe('closed')
})

test('of many answers at once, one acknowledges', async () => {
  const { token } = await raise()
  const statuses = await Promise.all(Array.from({ length: 5 }, () => answer(token)))
  expect(statuses.sort()).toEqual([200, 404, 404, 404, 404])
})
