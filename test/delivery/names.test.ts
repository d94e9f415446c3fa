import {
  type NameServer,
  nameServer,
  type Receiver,
  receiver,
  type World,
  world,
} from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseHosts, parseSearch } from '../../packages/server/src/outbound/name-files.ts'
import { openNames } from '../../packages/server/src/outbound/names.ts'

describe('a look-up', () => {
  test('is made once for those who ask together, kept, and refused for a moment only', async () => {
    await using names = await nameServer(name => (name === 'gone.test' ? undefined : 0))
    const resolve = openNames({ servers: [names.address] })
    const found = [{ address: '127.0.0.1', family: 4, ttl: 60 }]
    expect(await Promise.all([resolve('a.test', 'org_1'), resolve('A.test.', 'org_1')])).toEqual([
      found,
      found,
    ])
    expect(await resolve('a.test', 'org_2')).toEqual(found)
    expect(names.asked).toEqual(['a.test'])
    await expect(resolve('gone.test', 'org_1')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    await expect(resolve('gone.test', 'org_2')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(names.asked).toEqual(['a.test', 'gone.test'])
  })

  test('of one organization waits for its own others, never for those of another', async () => {
    await using names = await nameServer(name => (name.startsWith('slow') ? 60_000 : 0))
    const resolve = openNames({ servers: [names.address] })
    const slow = Array.from({ length: 30 }, (_, index) => resolve(`slow-${index}.test`, 'org_1'))
    for (const one of slow) one.catch(() => undefined)
    expect(await resolve('quick.test', 'org_2')).toHaveLength(1)
    expect(new Set(names.asked.filter(name => name.startsWith('slow'))).size).toBeLessThanOrEqual(8)
  })

  test('reads the files of the machine as the machine does', () => {
    const hosts = parseHosts('127.0.0.1 localhost Box # mine\n::1 localhost\nnonsense x\n')
    expect(hosts.get('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(hosts.get('box')).toHaveLength(1)
    expect(parseSearch('nameserver 10.0.0.1\nsearch a.local b.local.\noptions ndots:5 rotate')).toEqual({
      domains: ['a.local', 'b.local'],
      dots: 5,
    })
    expect(parseSearch('')).toEqual({ domains: [], dots: 1 })
  })
})

describe('receivers', () => {
  let w: World
  let names: NameServer
  let sink: Receiver
  beforeAll(async () => {
    names = await nameServer(name => (name.startsWith('slow') ? 8000 : 0))
    w = await world({ delivery: { name_servers: [names.address] } })
    sink = await receiver()
  })
  afterAll(async () => {
    await w[Symbol.asyncDispose]()
    await sink[Symbol.asyncDispose]()
    await names[Symbol.asyncDispose]()
  })

  test('thirty names of one tenant that take 8 s to resolve do not delay another tenant', async () => {
    const [slow, quick] = [await w.tenant(), await w.tenant()]
    const { port } = new URL(sink.url)
    const filter = [{ object_type: 'site' }]
    const hook = (name: string) => ({ url: `http://${name}.test:${port}/`, filter })
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => slow.client.webhooks.create(hook(`slow-${index}`))),
    )
    const { id } = await quick.client.webhooks.create(hook('quick'))
    await slow.client.sites.create({ name: 'Slow', timezone: 'UTC' })
    await expect.poll(() => names.asked.filter(name => name.startsWith('slow')).length).toBeGreaterThan(5)
    await quick.client.sites.create({ name: 'Quick', timezone: 'UTC' })
    await sink.waitFor(1)
    const attempts = async () => (await quick.client.webhook_deliveries.list(id)).data[0]?.attempts
    await expect.poll(attempts).toMatchObject([{ status_code: 200 }])
    expect((await attempts())?.[0]?.latency).toBeLessThan(5000)
  })
})
