import type { Client } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hotel } from './hotel.ts'

/**
 * Clients generated or written for other servers send every field of their class, with null for unset fields.
 */

let w: World
let tenant: Tenant
let client: Client

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  client = tenant.client
})
afterAll(() => w[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${w.url}/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

async function make(path: string, body: unknown) {
  const answer = await call('POST', path, body)
  expect(answer, `${path}: ${answer.body.message}`).toMatchObject({ status: 200 })
  return answer.body
}

const nobody = { name: null, starts_at: null, ends_at: null, metadata: null, language: '', tag_ids: null }

test('a client that sends null for whatever is unset mirrors a reservation', async () => {
  const { room } = await hotel(client)
  const member = await make('/members', { ...nobody, metadata: { source: 'pms', room: null } })
  expect(member).toMatchObject({ name: null, language: null, metadata: { source: 'pms' }, tag_ids: [] })
  expect(member.metadata).not.toHaveProperty('room')
  const under = `/members/${member.id}`
  await make(`${under}/group_associations`, {
    member_group_id: room,
    starts_at: null,
    ends_at: null,
    metadata: null,
  })
  expect(await make(`${under}/pins`, { length: 6, pin: null, metadata: null })).toMatchObject({ length: 6 })
  expect(await make(`${under}/pins`, { length: null, pin: '730418', metadata: null })).toMatchObject({
    pin: '730418',
  })
  expect(await make(`${under}/pins`, { length: null, pin: null })).toMatchObject({ length: 6 })
  expect(
    await make(`${under}/cards`, { card_id: null, uid: '04A1B2C3', printed_code: null, metadata: null }),
  ).toMatchObject({ uid: '04A1B2C3' })
  await make(`${under}/emails`, { email: 'guest@example.com', metadata: null })
  await make(`${under}/magic_links`, { metadata: null })
  await make(`${under}/tokens`, { metadata: null })
  await make('/cards', { id: null, uid: '04A1B2C4', printed_code: null, name: null, metadata: null })
})

test('null is nothing inside of a rule, an action, a question and a grant too', async () => {
  const { room, door: gadget } = await hotel(client)
  const rule = {
    site_id: null,
    gadget_id: gadget,
    action_id: null,
    schedule_id: null,
    presence: null,
    access_methods: { online: true, bluetooth: null, mobile_nfc: null, pin: null, card: null },
    member_group_id: null,
  }
  const group = await make('/member_groups', { name: 'Staff', permissions: [rule], metadata: null })
  expect(group.permissions[0].access_methods).toEqual({
    online: true,
    bluetooth: false,
    mobile_nfc: false,
    pin: false,
    card: false,
  })
  const granted = await make('/grants', {
    external_id: null,
    member: { ...nobody, metadata: { a: 'b', c: null } },
    member_group_ids: [room],
    credentials: { emails: null, magic_link: null, pin: { length: null, pin: null }, card: null },
    notify: null,
  })
  expect(granted).toMatchObject({ metadata: { a: 'b' }, pins: [{ length: 6 }] })
  await make('/access_checks', {
    member_id: granted.id,
    credential_id: null,
    gadget_id: gadget,
    action_id: 'open',
    access_method: null,
    at: null,
    location: null,
  })
})

test('null for a field that is required is refused', async () => {
  const { room } = await hotel(client)
  const { id } = await make('/members', {})
  const refused = await call('POST', `/members/${id}/emails`, { email: null })
  expect(refused).toMatchObject({ status: 400, body: { args: { field: 'email' } } })
  expect(await call('POST', '/sites', { name: null, timezone: 'Europe/Madrid' })).toMatchObject({
    status: 400,
  })
  expect(await call('PATCH', `/member_groups/${room}`, { name: null })).toMatchObject({ status: 400 })
})

test('a repeated grant takes a key of metadata away with null', async () => {
  const body = { external_id: 'R-null', member: { metadata: { a: '1', b: '2' } }, member_group_ids: [] }
  await make('/grants', body)
  const again = await make('/grants', { ...body, member: { metadata: { a: null } } })
  expect(again.metadata).toEqual({ b: '2' })
})

test.each([
  ['', null, 'en'],
  ['es', 'es', 'es'],
  ['es-mx', 'es-MX', 'es'],
  ['pt-BR', 'pt-BR', 'pt'],
  ['ca', 'ca', 'es'],
  ['de-CH-1996', 'de-CH-1996', 'de'],
  ['zh-Hant-TW', 'zh-Hant-TW', 'en'],
])('language %j is kept as %j and spoken to as %j', async (language, kept, spoken) => {
  const member = await client.members.create({ language } as never)
  expect(member.language).toBe(kept)
  const email = await make(`/members/${member.id}/emails`, { email: 'guest@example.com' })
  const invited = await call('POST', `/members/${member.id}/invitations`, {})
  expect(invited.body).toEqual({ member_email_ids: [email.id], language: spoken })
  expect((await call('PATCH', `/members/${member.id}`, { language: '' })).body.language).toBeNull()
})

test.each(['es_ES', 'e', '-', 'es-', 'Español', 'a'.repeat(300), 7])(
  'language %j is no tag of a language',
  async language => {
    const refused = await call('POST', '/members', { language })
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'language' } } })
  },
)

test('an edit of something deleted is refused unless it restores', async () => {
  const member = await client.members.create({ name: 'Gone' })
  await client.members.delete(member.id)
  const path = `/members/${member.id}`
  for (const body of [{}, { name: 'New' }, { ends_at: null }, { name: 'New', is_deleted: true }]) {
    const refused = await call('PATCH', path, body)
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'is_deleted' } } })
    expect(refused.body.message).toContain('"is_deleted": false')
  }
  expect(await call('PATCH', path, { is_deleted: true })).toMatchObject({ status: 200 })
  expect((await client.members.get(member.id)).name).toBe('Gone')
  expect(await call('PATCH', path, { is_deleted: false, name: 'Back' })).toMatchObject({
    status: 200,
    body: { name: 'Back', is_deleted: false },
  })
})

test('an edit of something that cannot be restored says so', async () => {
  const { id } = await client.members.create({})
  const link = await make(`/members/${id}/magic_links`, {})
  await call('DELETE', `/members/${id}/magic_links/${link.id}`)
  const refused = await call('PATCH', `/members/${id}/magic_links/${link.id}`, { metadata: { a: 'b' } })
  expect(refused).toMatchObject({ status: 400, body: { args: { field: 'is_deleted' } } })
  expect(refused.body.message).toContain('create a new one')
})

test('a map answers all its keys, and sending it back changes nothing', async () => {
  const site = await make('/sites', {
    name: 'Madrid',
    timezone: 'Europe/Madrid',
    map: { address: 'Calle Mayor 1' },
  })
  const whole = { location: null, place_id: null, address: 'Calle Mayor 1', image_url: null }
  expect(site.map).toEqual(whole)
  expect((await call('GET', `/sites/${site.id}`)).body.map).toEqual(whole)
  await call('PATCH', `/sites/${site.id}`, { map: { address: 'Calle Mayor 1' } })
  await call('PATCH', `/sites/${site.id}`, { map: whole })
  const edits = await client.events.list({ 'object.site_id': site.id, verb: 'edit' })
  expect(edits.data).toEqual([])
})

test('an association that begins when it ends is accepted and never valid', async () => {
  const { room, door: gadget } = await hotel(client)
  const member = await client.members.create({})
  const at = '2030-01-01T12:00:00.000000Z'
  await make(`/members/${member.id}/group_associations`, {
    member_group_id: room,
    starts_at: at,
    ends_at: at,
  })
  const ask = (time: string) =>
    make('/access_checks', { member_id: member.id, gadget_id: gadget, action_id: 'open', at: time })
  expect(await ask('2030-01-01T11:59:59Z')).toMatchObject({
    allowed: false,
    reason: 'association_not_started',
    next_allowed_at: null,
  })
  expect(await ask(at)).toMatchObject({ allowed: false, reason: 'association_ended' })
  const wrong = { member_group_id: room, starts_at: at, ends_at: '2029-01-01T00:00:00Z' }
  expect(await call('POST', `/members/${member.id}/group_associations`, wrong)).toMatchObject({ status: 400 })
})

test.each(['', 'nobody', 'a b@c', `${'x'.repeat(300)}@example.com`])(
  'members by the email %j, which is no address, are none',
  async email => {
    const found = await call('GET', `/members?email=${encodeURIComponent(email)}`)
    expect(found).toMatchObject({ status: 200, body: { data: [], has_next: false } })
  },
)

test.each(['object_api_key', 'object_link', 'subject_api_key', 'subject_user_session'])(
  'the expand %s of older clients is known and always absent',
  async name => {
    const page = await call('GET', `/events?expand=${name},object_member`)
    expect(page.status).toBe(200)
    for (const event of page.body.data) expect(event).not.toHaveProperty(name)
    expect(await call('GET', `/events?expand=${name}.organization`)).toMatchObject({ status: 400 })
    const webhook = await make('/webhooks', {
      url: 'https://example.com/hook',
      filter: [{ object_type: 'member', verb: null }],
      expand: [name],
      is_enabled: null,
      metadata: null,
    })
    expect(webhook.expand).toEqual([name])
  },
)

test('a date-time without an offset stays refused', async () => {
  const refused = await call('POST', '/members', { starts_at: '2030-01-01T12:00:00' })
  expect(refused).toMatchObject({ status: 400, body: { args: { field: 'starts_at' } } })
})
