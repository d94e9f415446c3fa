import { world } from '@gatehouse/testkit'
import { expect, test } from 'vitest'

test('a member is created and read', async () => {
  await using w = await world()
  const { token } = await w.tenant()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const created = await fetch(`${w.url}/v2/members`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'x' }),
  })
  const member = (await created.json()) as { id: string }
  expect(created.status).toBe(200)
  const got = await fetch(`${w.url}/v2/members/${member.id}`, { headers })
  expect(await got.json()).toEqual(member)
  for (const path of [
    'organization',
    'sites',
    'products',
    'devices',
    'gadgets',
    'gadget_triggers',
    'members',
    'member_groups',
    'schedules',
    'cards',
    'tags',
    'events',
    'webhooks',
  ]) {
    const r = await fetch(`${w.url}/v2/${path}`, { headers })
    expect([path, r.status]).toEqual([path, 200])
  }
})
