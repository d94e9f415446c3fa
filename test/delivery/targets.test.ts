import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTargets } from '../../packages/server/src/outbound/targets.ts'

const strict = openTargets({ allow: [], loopback: false })

const refused = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1'],
  ...['100.100.100.200', '169.254.169.254', '169.254.0.1', '168.63.129.16', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1'],
  ...[
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
  ],
  ...['64:ff9b:1::1', '100::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...[
    '2001::1',
    '2001:db8::1',
    '2001:10::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '3fff::1',
    '5f00::1',
    '4000::1',
  ],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433'],
]
const accepted = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '100.63.0.1',
  '100.128.0.1',
]
const acceptedIpv6 = ['2606:4700:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8', '2001:4860:4860::8888']

describe('addresses', () => {
  test.each(refused)('%s is refused', address => expect(strict.isAllowed(address)).toBe(false))
  test.each([...accepted, ...acceptedIpv6])('%s is accepted', address =>
    expect(strict.isAllowed(address)).toBe(true),
  )

  test('GATEHOUSE_WEBHOOK_ALLOW opens what it names and nothing else', () => {
    const targets = openTargets({ allow: ['10.1.0.0/16', '192.168.1.7', 'fd00::/8'], loopback: false })
    expect(['10.1.2.3', '192.168.1.7', '::ffff:10.1.2.3', 'fd12::1'].map(targets.isAllowed)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['10.2.0.1', '192.168.1.8', '127.0.0.1', 'fe80::1'].map(targets.isAllowed)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  test('loopback alone is open where everything is loopback', () => {
    const targets = openTargets({ allow: [], loopback: true })
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(targets.isAllowed)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['10.0.0.1', '169.254.169.254', '0.0.0.0', '::'].map(targets.isAllowed)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

describe('a service that the world can reach', () => {
  let w: World
  let tenant: Tenant
  let sink: Receiver
  let port: number
  const answers = new Map<string, string[][]>()
  const asked: string[] = []

  beforeAll(async () => {
    sink = await receiver()
    port = Number(new URL(sink.url).port)
    w = await world({
      public_url: 'https://access.example.com',
      webhook_allow: ['127.0.0.2'],
      delivery: { resolve },
    })
    tenant = await w.tenant()
  })
  afterAll(async () => {
    await w[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
  })

  async function resolve(hostname: string) {
    asked.push(hostname)
    const queue = answers.get(hostname) ?? []
    const addresses = (queue.length > 1 ? queue.shift() : queue[0]) ?? []
    return addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  }

  async function attemptAt(url: string) {
    const { id } = await tenant.client.webhooks.create({ url: 'https://receiver.example/', filter: [] })
    // Simulates a webhook that was created before the operator restricted the allowed targets.
    await w.server.context.db.query('UPDATE webhooks SET url = $2 WHERE id = $1', [id, url])
    const { webhook_delivery_id } = await tenant.client.webhooks.test(id)
    const load = () => tenant.client.webhook_deliveries.get(id, webhook_delivery_id)
    await expect.poll(async () => (await load()).attempts.length).toBe(1)
    await tenant.client.webhooks.delete(id)
    return (await load()).attempts[0]
  }

  test.each([
    ...['127.0.0.1', '127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0x7f000001', '017700000001', '0'],
    ...['[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '10.0.0.1', '192.168.0.1'],
    ...['169.254.169.254', '168.63.129.16', '[fe80::1]', '[fd00:ec2::254]', '127。0。0。1', '①②⑦.0.0.1'],
  ])('http://%s is refused when it is set, and when it is dialled', async host => {
    const url = `http://${host}:${port}/`
    await expect(tenant.client.webhooks.create({ url })).rejects.toMatchObject({ status: 400 })
    expect(await attemptAt(url)).toMatchObject({ error: 'address_refused', status_code: null })
    expect(sink.received).toEqual([])
  })

  test.each([
    ['a name that resolves privately', [['10.0.0.7']]],
    ['a name that resolves to loopback', [['127.0.0.1']]],
    ['a name one of whose addresses is private', [['127.0.0.2', '127.0.0.1']]],
    ['a name that resolves to IPv6 loopback', [['::1']]],
  ])('%s is refused', async (_what, addresses) => {
    answers.set('receiver.example', addresses)
    expect(await attemptAt(`http://receiver.example:${port}/`)).toMatchObject({ error: 'address_refused' })
    expect(sink.received).toEqual([])
  })

  test('a name that answers otherwise the second time is asked once, and what was checked is dialled', async () => {
    const checked = createServer((_request, response) => response.end())
    await new Promise<void>(resolve => checked.listen(port, '127.0.0.2', resolve))
    answers.set('rebinding.example', [['127.0.0.2'], ['127.0.0.1']])
    asked.length = 0
    expect(await attemptAt(`http://rebinding.example:${port}/`)).toMatchObject({ status_code: 200 })
    expect(asked.filter(name => name === 'rebinding.example')).toHaveLength(1)
    checked.closeAllConnections()
    checked.close()
    expect(await attemptAt(`http://rebinding.example:${port}/`)).toMatchObject({ error: 'address_refused' })
    expect(sink.received).toEqual([])
  })
})

test('a redirect is not followed, wherever it leads', async () => {
  await using w = await world({ delivery: true })
  await using inner = await receiver()
  const server = createServer((_request, response) => response.writeHead(307, { location: inner.url }).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const tenant = await w.tenant()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { id } = await tenant.client.webhooks.create({ url, filter: [] })
  const { webhook_delivery_id } = await tenant.client.webhooks.test(id)
  await expect
    .poll(() => tenant.client.webhook_deliveries.get(id, webhook_delivery_id))
    .toMatchObject({ status: 'pending', attempts: [{ status_code: 307 }] })
  await sleep(300)
  expect(inner.received).toEqual([])
  server.closeAllConnections()
  server.close()
})

describe('a URL that holds an address', () => {
  test('where nothing may be sent is refused at once, and changes nothing', async () => {
    await using w = await world({
      public_url: 'https://gatehouse.example.com',
      webhook_allow: ['10.1.0.0/16'],
    })
    const { client } = await w.tenant()
    const { id, url } = await client.webhooks.create({ url: 'http://10.1.2.3/hook' })
    for (const host of [
      '127.0.0.1:8080',
      '169.254.169.254',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '[::ffff:10.0.0.1]',
    ]) {
      const wrong = { url: `http://${host}/hook` }
      const refusal = { status: 400, args: { field: 'url' } }
      await expect(client.webhooks.create(wrong)).rejects.toMatchObject(refusal)
      await expect(client.webhooks.edit(id, wrong)).rejects.toMatchObject(refusal)
    }
    await expect(client.webhooks.create({ url: 'http://%zz/' })).rejects.toMatchObject({ status: 400 })
    expect((await client.webhooks.get(id)).url).toBe(url)
    expect((await client.webhooks.list()).data).toHaveLength(1)
  })
})
