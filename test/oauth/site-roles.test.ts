import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorize, type Client, callback, signUp } from './people.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

let w: World
let owner: Visitor
let other: Visitor
let client: Client
let organization_id: string
let other_id: string
let site_id: string

const path = (rest: string) => `/account/organizations/${organization_id}${rest}`
const asked = (who: Visitor, method: string, rest: string, body?: object) =>
  who.account<Record<string, unknown>>(method, `/v2${rest}`, body, { 'x-organization-id': organization_id })
const setRole = (body: object) =>
  owner.account<{ args: Record<string, string> }>('PATCH', path(`/users/${other_id}`), body)

beforeAll(async () => {
  ;({ w, owner, client, organization_id } = await openStage())
  other = await signUp(w, 'desk@example.com')
  other_id = (await other.account<{ user: { id: string } }>('GET', '/account/session')).body.user.id
  const site = await asked(owner, 'POST', '/sites', { name: 'Madrid', timezone: 'Europe/Madrid' })
  site_id = String(site.body.id)
  await owner.account('POST', path('/invitations'), {
    email: 'desk@example.com',
    role: 'front_desk',
    site_ids: [site_id],
  })
  const { body } = await other.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  expect((await other.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)).status).toBe(200)
})
afterAll(() => w[Symbol.asyncDispose]())

test('a front desk of a site is invited, and its session says so', async () => {
  const { body } = await other.account<{ organizations: object[] }>('GET', '/account/session')
  expect(body.organizations).toMatchObject([{ role: 'front_desk', site_ids: [site_id], refusal: null }])
  const users = await owner.account<{ data: object[] }>('GET', path('/users'))
  expect(users.body.data).toMatchObject([{ role: 'owner' }, { role: 'front_desk', site_ids: [site_id] }])
  expect((await asked(other, 'GET', '/members')).status).toBe(200)
  expect((await asked(other, 'GET', '/schedules')).status).toBe(403)
  for (const rest of ['/users', '/installations', '/api_keys', '/invitations'])
    expect([rest, (await other.account('GET', path(rest))).status]).toEqual([rest, 403])
})

test('it reports the card of its member lost and found, but not one that somebody else has got since', async () => {
  const { body: group } = await asked(owner, 'POST', '/member_groups', {
    name: 'Staff',
    permissions: [{ site_id }],
  })
  const { body: member } = await asked(owner, 'POST', '/members', { name: 'Ana' })
  const association = { member_group_id: group.id }
  await asked(owner, 'POST', `/members/${member.id}/group_associations`, association)
  const { body: held } = await asked(owner, 'POST', `/members/${member.id}/cards`, { uid: '04AABB01' })
  const isLost = async () => (await asked(owner, 'GET', `/cards/${held.card_id}`)).body.is_lost
  const seen = async () => {
    const { status } = await asked(other, 'GET', `/cards/${held.card_id}`)
    const { body } = await asked(other, 'GET', '/cards?is_lost=true')
    return [status, (body.data as { id: string }[]).map(({ id }) => id)]
  }
  const report = (body: object) => asked(other, 'POST', `/members/${member.id}/cards/${held.id}/lost`, body)
  expect((await asked(other, 'PATCH', `/cards/${held.card_id}`, { is_lost: true })).status).toBe(403)
  expect((await report({ is_lost: true, lost_reason: 'In the lake' })).body).toMatchObject({
    id: held.id,
    is_deleted: true,
  })
  expect(await isLost()).toBe(true)
  expect(await seen()).toEqual([200, [held.card_id]])
  expect((await report({ is_lost: false })).status).toBe(200)
  expect(await isLost()).toBe(false)
  expect(await seen()).toEqual([404, []])
  expect((await report({ is_lost: true })).status).toBe(400)

  const { body: guest } = await asked(owner, 'POST', '/members', { name: 'Beyond' })
  w.clock.advance(1)
  const { body: given } = await asked(owner, 'POST', `/members/${guest.id}/cards`, { uid: '04AABB01' })
  expect((await report({ is_lost: false })).status).toBe(400)
  await asked(owner, 'PATCH', `/cards/${held.card_id}`, { is_lost: true })
  expect((await report({ is_lost: false })).status).toBe(400)
  const beyond = `/members/${guest.id}/cards/${given.id}/lost`
  expect((await asked(other, 'POST', beyond, { is_lost: false })).status).toBe(404)
  expect(await isLost()).toBe(true)
  expect(await seen()).toEqual([404, []])
})

test.each(['site_administrator', 'site_viewer'])('a %s neither widens its role nor invites', async role => {
  const seat = { role, site_ids: [site_id] }
  expect(await setRole(seat)).toMatchObject({ status: 200, body: seat })
  const tried: [string, string, object?][] = [
    ['PATCH', `/users/${other_id}`, { role: 'administrator' }],
    ['PATCH', `/users/${other_id}`, { role }],
    ['POST', '/invitations', { email: 'friend@example.com', ...seat }],
    ['GET', '/users'],
    ['POST', '/api_keys', { name: 'Mine', scopes: ['full_read_write'] }],
  ]
  for (const [method, rest, body] of tried)
    expect([method, rest, (await other.account(method, path(rest), body)).status]).toEqual([
      method,
      rest,
      403,
    ])
  expect((await asked(other, 'GET', '/members')).status).toBe(200)
  const may = role === 'site_administrator' ? 200 : 403
  expect((await asked(other, 'POST', '/members', { name: 'New' })).status).toBe(may)
  expect((await asked(other, 'POST', '/sites', { name: 'Own', timezone: 'Europe/Madrid' })).status).toBe(403)
})

test('it cannot authorize applications', async () => {
  await expect(authorize(other, { ...client, organization_id })).rejects.toThrow()
  const query = { client_id: client.client_id, redirect_uri: callback, response_type: 'code', state: 's' }
  await other.get(`/oauth2/auth?${new URLSearchParams({ ...query, scope: 'full_read_only' })}`)
  await other.follow()
  expect(other.text).toContain('Your role cannot give applications access.')
})

test('sites are those of the organization, and only for roles that can have some', async () => {
  const field = async (body: object) => {
    const answer = await setRole(body)
    return [answer.status, answer.body.args?.field]
  }
  expect(await field({ role: 'viewer', site_ids: [site_id] })).toEqual([400, 'site_ids'])
  expect(await field({ role: 'installer', site_ids: [] })).toEqual([400, 'site_ids'])
  const never = `${site_id.slice(0, -2)}00`
  expect(await field({ role: 'installer', site_ids: [never] })).toEqual([400, 'site_ids.0'])
})

test('an installer of a site is told how many a device concerns, but not which groups', async () => {
  const create = async (path: string, body: object) =>
    String((await asked(owner, 'POST', path, body)).body.id)
  const device = await create('/devices', { name: 'Lobby', site_id, product_id: 'controller' })
  const actions = [{ id: 'open', name: 'Open' }]
  const gadget = await create('/gadgets', { name: 'Door', device_id: device, actions })
  const member_group_id = await create('/member_groups', {
    name: 'Here',
    permissions: [{ gadget_id: gadget }],
  })
  const member = await create('/members', { name: 'Bea' })
  await create(`/members/${member}/group_associations`, { member_group_id })
  await setRole({ role: 'installer', site_ids: [site_id] })
  for (const path of [`/devices/${device}/uses`, `/gadgets/${gadget}/uses`]) {
    const seen = (await asked(owner, 'GET', path)).body
    expect(seen).toMatchObject({ member_group_ids: expect.arrayContaining([member_group_id]) })
    expect((await asked(other, 'GET', path)).body).toEqual({ ...seen, member_group_ids: [] })
  }
})

test('another role holds from the next request on, and signing out works for each', async () => {
  expect((await setRole({ role: 'installer' })).status).toBe(200)
  expect((await asked(other, 'GET', '/members')).status).toBe(403)
  expect((await asked(other, 'GET', '/devices')).status).toBe(200)
  expect((await owner.account('POST', path(`/users/${other_id}/sign_out`))).status).toBe(200)
  expect((await asked(other, 'GET', '/devices')).body).toMatchObject({ args: { reason: 'sign_in_again' } })
  expect((await setRole({ role: 'viewer' })).status).toBe(200)
  expect((await asked(other, 'GET', '/devices')).body).toMatchObject({ args: { reason: 'sign_in_again' } })
  w.clock.advance(1)
  await other.signIn('desk@example.com', 'correct horse battery staple')
  expect((await asked(other, 'GET', '/schedules')).status).toBe(200)
  expect((await setRole({ role: 'front_desk', site_ids: [site_id] })).status).toBe(200)
  expect((await asked(other, 'GET', '/schedules')).status).toBe(403)
  expect((await asked(other, 'GET', '/members')).status).toBe(200)
})

test('a role of the version after this one is refused everything', async () => {
  await w.server.context.db.transaction(async db => {
    await db.query('ALTER TABLE organization_users DROP CONSTRAINT organization_users_duty_check')
    await db.query('UPDATE organization_users SET duty = $1 WHERE user_id = $2', ['caretaker', other_id])
    db.afterCommit('rights_changed')
  })
  for (const rest of ['/members', '/devices', '/schedules'])
    expect([rest, (await asked(other, 'GET', rest)).status]).toEqual([rest, 403])
  for (const rest of ['/users', '/invitations'])
    expect([rest, (await other.account('GET', path(rest))).status]).toEqual([rest, 403])
})
