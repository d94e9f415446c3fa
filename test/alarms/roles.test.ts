import type { World } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRecipients } from '../../packages/server/src/telling/sending/find-recipients.ts'
import { found, signUp } from '../oauth/people.ts'
import { openStage } from '../oauth/stage.ts'
import type { Visitor } from '../oauth/visitor.ts'
import { neverId } from '../properties/one-of-each.ts'
import { plantAlarm } from '../properties/plant-alarms.ts'

let w: World
let owner: Visitor
let viewer: Visitor
let organization_id: string

beforeAll(async () => {
  ;({ w, owner, organization_id } = await openStage())
  viewer = await signUp(w, 'viewer@example.com')
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, {
    email: 'viewer@example.com',
    role: 'viewer',
  })
  const { body } = await viewer.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await viewer.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
})
afterAll(() => w[Symbol.asyncDispose]())

const places = { site: neverId('site'), device: neverId('device'), gadget: neverId('gadget') }

function ask(visitor: Visitor, method: string, path: string, body?: object) {
  return visitor.account<Record<string, unknown>>(method, `/v2${path}`, body, {
    'x-organization-id': organization_id,
  })
}

test('a viewer reads alarms and changes none; an owner acknowledges by name', async () => {
  const { id } = await plantAlarm(w.server.context, organization_id, places)
  expect(await ask(viewer, 'GET', `/alarms/${id}`)).toMatchObject({ status: 200, body: { state: 'open' } })
  const denied = { status: 403, body: { type: 'permission_denied' } }
  for (const [path, body] of [
    [`/${id}/acknowledge`, {}],
    [`/${id}/close`, {}],
    [`/${id}/reopen`, {}],
    [`/${id}/snooze`, { until: '2100-01-01T00:00:00Z' }],
    ['/acknowledge', { alarm_ids: [id] }],
  ] as const)
    expect(await ask(viewer, 'POST', `/alarms${path}`, body)).toMatchObject(denied)
  expect(await ask(viewer, 'PATCH', `/alarms/${id}`, { note: 'x' })).toMatchObject(denied)
  expect((await ask(viewer, 'GET', `/alarms/${id}`)).body).toMatchObject({ state: 'open', note: null })
  const { body } = await owner.account<{ user: { id: string } }>('GET', '/account/session')
  expect(await ask(owner, 'POST', `/alarms/${id}/acknowledge`, {})).toMatchObject({
    status: 200,
    body: { state: 'acknowledged', acknowledged_by_user_id: body.user.id },
  })
})

test('an alarm of another organization is not there, byte for byte', async () => {
  const elsewhere = await found(owner, 'Elsewhere')
  const { id } = await plantAlarm(w.server.context, elsewhere, places)
  const never = neverId('alarm')
  for (const path of ['', '/acknowledge']) {
    const method = path === '' ? 'GET' : 'POST'
    const body = path === '' ? undefined : {}
    const theirs = await ask(owner, method, `/alarms/${id}${path}`, body)
    expect(theirs.status).toBe(404)
    expect(JSON.stringify(theirs)).toBe(
      JSON.stringify(await ask(owner, method, `/alarms/${never}${path}`, body)),
    )
  }
})

test('a new organization tells its owners of what cannot wait, and no other has got that rule', async () => {
  const { body } = await ask(viewer, 'GET', '/alarm_rules')
  expect(body.data).toMatchObject([{ notify: [{ role: 'owner' }], is_enabled: true, targets: {} }])
  const [{ types }] = body.data as [{ types: string[] }]
  expect(types.sort()).toEqual([
    'device_battery_low',
    'device_offline',
    'door_forced',
    'emergency_not_arrived',
    'emergency_started',
    'sync_at_risk',
  ])
  // Made without anybody who founds it, as all organizations were before there were rules.
  const { client } = await w.tenant()
  expect((await client.alarm_rules.list()).data).toEqual([])
})

test('a user for some sites is told of alarms there, whatever rules name', async () => {
  const { db, zones, clock } = w.server.context
  const desk = await signUp(w, 'desk@example.com')
  const made = await ask(owner, 'POST', '/sites', { name: 'House', timezone: 'Europe/Madrid' })
  const site_id = String(made.body.id)
  const to = { email: 'desk@example.com', role: 'front_desk', site_ids: [site_id] }
  await owner.account('POST', `/account/organizations/${organization_id}/invitations`, to)
  const { body } = await desk.account<{ data: { id: string }[] }>('GET', '/account/invitations')
  await desk.account('POST', `/account/invitations/${body.data[0]?.id}/accept`)
  const { body: session } = await desk.account<{ user: { id: string } }>('GET', '/account/session')
  const named = [{ user_id: session.user.id }]
  const needs = { db, zones, now: clock.now(), has_push: false }
  const waysTo = await findRecipients(needs, organization_id, named)
  const told = (site_id: string | null) => waysTo(named, { severity: 'critical', site_id }).length > 0
  expect([told(site_id), told(places.site), told(null)]).toEqual([true, false, false])
})
