import { endpoints } from '@gatehouse-access/api'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
let tenant: Tenant
let member_id: string

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
  member_id = (await tenant.client.members.create({ name: 'Ada' })).id
})
afterAll(() => w[Symbol.asyncDispose]())

type Body = Record<string, unknown> & { id: string }

/** Returns a function that sends a request, always with the same idempotency key. */
function repeating(path: string, body: object = {}): () => Promise<{ status: number; body: Body }> {
  const key = crypto.randomUUID()
  return async () => {
    const answer = await fetch(`${w.url}/v2${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
}

async function reveals(object: string, id: string): Promise<number> {
  const rows = await w.server.context.db.query(
    `SELECT 1 FROM events WHERE organization_id = $1 AND verb = 'reveal' AND object->>$2 = $3`,
    [tenant.organization_id, `${object}_id`, id],
  )
  return rows.length
}

test.for([
  ['member_pin', '/pins', 'pin', true],
  ['member_magic_link', '/magic_links', 'link', true],
  ['member_token', '/tokens', 'token', false],
] as const)(
  '%s: each repeat of its secret is an event, and there is none when it is deleted',
  async ([kind, path, secret, is_revealed]) => {
    const made = repeating(`/members/${member_id}${path}`)
    const first = await made()
    const { id } = first.body
    expect(await made()).toEqual(first)
    expect([typeof first.body[secret], await reveals(kind, id)]).toEqual(['string', 1])
    const revealed = repeating(`/members/${member_id}${path}/${id}/reveal`)
    if (is_revealed) {
      const shown = await revealed()
      expect(await revealed()).toEqual(shown)
      expect(await reveals(kind, id)).toBe(3)
    }
    const before = await reveals(kind, id)
    const authorization = `Bearer ${tenant.token}`
    await fetch(`${w.url}/v2/members/${member_id}${path}/${id}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    for (const again of is_revealed ? [made, revealed] : [made])
      expect(await again()).toMatchObject({ status: 404, body: { type: 'not_found' } })
    expect(await reveals(kind, id)).toBe(before)
  },
)

test('a grant shows its PIN and link again with an event for each, and neither once the member is deleted', async () => {
  const grant = repeating('/grants', {
    member: { name: 'Grace' },
    member_group_ids: [],
    credentials: { pin: {}, magic_link: true },
  })
  const first = await grant()
  const { pins, magic_links, id } = first.body as unknown as Record<'pins' | 'magic_links', Body[]> & Body
  expect(await grant()).toEqual(first)
  const count = async () => [
    await reveals('member_pin', pins[0]?.id ?? ''),
    await reveals('member_magic_link', magic_links[0]?.id ?? ''),
  ]
  expect(await count()).toEqual([1, 1])
  await tenant.client.members.delete(id)
  expect((await grant()).status).toBe(404)
  expect(await count()).toEqual([1, 1])
})

test('the secret of a device is repeated only until there is another', async () => {
  const site = await tenant.client.sites.create({ name: 'Site', timezone: 'UTC' })
  const products = await tenant.client.products.list({})
  const device = await tenant.client.devices.create({
    name: 'Controller',
    site_id: site.id,
    product_id: products.data[0]?.id ?? '',
    hardware_id: 'hw_repeated',
  })
  const issued = repeating(`/devices/${device.id}/credentials`)
  const first = await issued()
  expect([await issued(), await reveals('device', device.id)]).toEqual([first, 1])
  await repeating(`/devices/${device.id}/credentials`)()
  expect((await issued()).status).toBe(404)
})

test('the key of a webhook is repeated only while it lives', async () => {
  const made = repeating('/webhooks', { url: 'https://hook.example/', filter: [] })
  const first = await made()
  expect([await made(), await reveals('webhook', first.body.id)]).toEqual([first, 1])
  await tenant.client.webhooks.delete(first.body.id)
  expect((await made()).status).toBe(404)
})

test('there are no other endpoints that answer a secret under a key', () => {
  const revealing = endpoints.filter(({ method, answer }) => method === 'POST' && answer === 'revealed')
  expect(revealing.map(({ id }) => id).sort()).toEqual([
    'member_magic_link.create',
    'member_magic_link.reveal',
    'member_pin.create',
    'member_pin.reveal',
    'member_token.create',
    'webhook.create',
  ])
})
