import { noPrivacy } from '@gatehouse-access/api'
import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, password, signUp } from '../oauth/people.ts'
import { openStage } from '../oauth/stage.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { asUser, type Organization } from './owner.ts'

let w: World
let owner: Visitor
let administrator: Visitor
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, organization_id } = await openStage())
  administrator = await signUp(w, 'administrator@example.com')
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'administrator@example.com',
    role: 'administrator',
  })
  const { body } = await administrator.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await administrator.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
})
afterAll(() => w[Symbol.asyncDispose]())

async function set(privacy: object) {
  return (await asUser(owner, organization_id)<Organization>('PATCH', '/organization', { privacy })).body
}

/** Rounded: whoever reads the clock moves it. */
function hoursFrom(start: string, { privacy_pending }: Organization): number {
  return Math.round((Date.parse(privacy_pending?.takes_effect_at ?? '') - Date.parse(start)) / 3_600_000)
}

test('nothing expires by default', async () => {
  const { body } = await asUser(administrator, organization_id)('GET', '/organization')
  expect(body).toMatchObject({ privacy: noPrivacy, privacy_pending: null })
})

test('only an owner changes the settings, and only with a session', async () => {
  const change = { privacy: { access_days: 90 } }
  const low = await asUser(administrator, organization_id)('PATCH', '/organization', change)
  expect(low).toMatchObject({ status: 403, body: { args: { reason: 'role_too_low', role: 'owner' } } })
  const { organization_id: other, client } = await w.tenant()
  await expect(client.organization.edit(change)).rejects.toMatchObject({
    status: 403,
    args: { reason: 'owner_session_only' },
  })
  expect(await client.organization.get()).toMatchObject({ id: other, privacy: noPrivacy })
  // The rest of the organization is still the administrator's, and everybody else's with the scope.
  expect(await client.organization.edit({ name: 'Renamed', privacy: noPrivacy })).toMatchObject({
    name: 'Renamed',
  })
})

test('events cannot be deleted before they lose their member', async () => {
  const privacy = { access_days: 90, access_delete_days: 30 }
  const refused = await asUser(owner, organization_id)('PATCH', '/organization', { privacy })
  expect(refused).toMatchObject({ status: 400, body: { args: { field: 'privacy.access_delete_days' } } })
  for (const access_days of [0, 3651, 1.5, '90'])
    expect(
      (await asUser(owner, organization_id)('PATCH', '/organization', { privacy: { access_days } })).status,
    ).toBe(400)
})

test('a shorter period takes effect a day later, can be undone until then, and a longer one holds at once', async () => {
  organization_id = await found(owner, 'Periods')
  const start = w.clock.now()
  const pending = await set({ access_days: 90 })
  expect(pending).toMatchObject({
    privacy: { access_days: 90 },
    privacy_pending: { in_force: { access_days: null } },
  })
  expect(hoursFrom(start, pending)).toBe(24)

  // What is not shorter does not wait longer; what is waits anew.
  w.clock.advance(3600)
  expect((await set({ access_days: 120, member_export: true })).privacy_pending).toEqual(
    pending.privacy_pending,
  )
  const anew = await set({ access_days: 60 })
  expect(hoursFrom(start, anew)).toBe(25)

  expect(await set({ ...anew.privacy_pending?.in_force })).toMatchObject({
    privacy: noPrivacy,
    privacy_pending: null,
  })

  await set({ access_days: 60 })
  w.clock.advance(86_400)
  // The session is over by then.
  await owner.signIn('owner@example.com', password)
  expect(await set({ access_days: 90 })).toMatchObject({ privacy_pending: null })
  expect(await set({ access_days: 30, other_days: 365 })).toMatchObject({
    privacy_pending: { in_force: { access_days: 90, other_days: null, device_days: null } },
  })
})

test('each change is an event that says what changed', async () => {
  const { body } = await asUser(owner, organization_id)<{ data: { object: { changes: object[] } }[] }>(
    'GET',
    '/events?object.type=organization&verb=edit&object.changed_field=privacy&limit=1',
  )
  expect(body.data[0]?.object.changes).toContainEqual({
    field: 'privacy',
    path: 'access_days',
    before: 90,
    after: 30,
  })
})
