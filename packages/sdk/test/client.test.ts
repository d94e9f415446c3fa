import { ApiError, createClient, etagOf, headersOf } from '@gatehouse-access/sdk'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'

async function start() {
  const w = await world()
  const { token } = await w.tenant()
  return { w, client: createClient({ base_url: `${w.url}/v2`, token: async () => token, retries: 0 }) }
}

test('objects are created, read, edited, listed and deleted', async () => {
  const { w, client } = await start()
  await using _ = w
  const member = await client.members.create({ name: 'Reservation 1', metadata: { source: 'pms' } })
  expect(await client.members.get(member.id)).toEqual(member)
  const edited = await client.members.edit(
    member.id,
    { name: 'Reservation 2' },
    { if_match: etagOf(member) ?? '' },
  )
  expect(edited.name).toBe('Reservation 2')
  expect(headersOf(edited)?.get('x-request-id')).toBeTruthy()
  const { data } = await client.members.list({ 'metadata.source': 'pms', q: 'reservation', sort: 'name:asc' })
  expect(data).toEqual([edited])
  expect(await client.members.delete(member.id)).toMatchObject({ is_deleted: true })
  expect((await client.members.list()).data).toEqual([])
  expect((await client.members.list({ is_deleted: 'any' })).data).toHaveLength(1)
})

test('sub-resources take the id of their parent first', async () => {
  const { w, client } = await start()
  await using _ = w
  const { id } = await client.members.create()
  const pin = await client.member_pins.create(id, { length: 8 })
  expect(await client.member_pins.reveal(id, pin.id)).toEqual(pin)
  expect(await client.member_pins.get(id, pin.id)).not.toHaveProperty('pin')
  await client.member_emails.create(id, { email: 'guest@example.com' })
  const member = await client.members.get<{ emails: { email: string }[] }>(id, { expand: ['emails', 'pins'] })
  expect(member.emails.map(({ email }) => email)).toEqual(['guest@example.com'])
})

test('all pages are walked, each object once', async () => {
  const { w, client } = await start()
  await using _ = w
  const ids = new Set<string>()
  for (let count = 0; count < 7; count++) ids.add((await client.tags.create(tag(count))).id)
  const found: string[] = []
  for await (const { id } of client.tags.all({ limit: 3 })) found.push(id)
  expect(found).toEqual([...ids].reverse())
})

function tag(count: number) {
  return { name: `Tag ${count}`, color: '#00ff00', applies_to: ['member' as const] }
}

test('the organization, grants and device credentials have their own methods', async () => {
  const { w, client } = await start()
  await using _ = w
  expect((await client.organization.edit({ metadata: { plan: 'x' } })).metadata).toEqual({ plan: 'x' })
  const granted = await client.grants.create({ member: {}, member_group_ids: [], credentials: { pin: {} } })
  expect(granted.pins?.[0]?.pin).toMatch(/^\d{6}$/)
  const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const given = { name: 'Door', site_id: site.id, product_id: 'controller', hardware_id: 'hw_ABCD-1' }
  const device = await client.devices.create(given)
  expect((await client.devices.issue_credentials(device.id)).hardware_id).toBe('hw_ABCD-1')
  await client.devices.revoke_credentials(device.id)
  expect(await client.sites.delete(site.id, { cascade: true })).toMatchObject({ is_deleted: true })
})

test('errors carry what the service said', async () => {
  const { w, client } = await start()
  await using _ = w
  const error = await client.members.create({ name: '' }).catch(caught => caught)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 400, type: 'invalid_request', args: { field: 'name' } })
  expect(error.message).toContain('name')
  expect(error.request_id).toBeTruthy()
  const member = await client.members.create()
  const stale = client.members.edit(member.id, { name: 'x' }, { if_match: '"other"' })
  await expect(stale).rejects.toMatchObject({ status: 412, type: 'precondition_failed' })
})

test('the service sees which client it was', async () => {
  const { w, client } = await start()
  await using _ = w
  await client.members.create()
  const { data } = await client.events.list({ 'object.type': 'member' })
  expect(data[0]?.subject.client?.user_agent).toMatch(/^gatehouse-sdk\/\d/)
})
