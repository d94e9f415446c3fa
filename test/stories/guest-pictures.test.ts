import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Phone } from './guest.ts'

let w: World
let tenant: Tenant
let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(request, response)
})
let origin = ''

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant('Hotel')
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await w[Symbol.asyncDispose]()
})

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)])

/** Returns the URL that a guest sees for a picture of this URL. */
async function shownFor(image_url: string, client = tenant.client): Promise<string> {
  const site = await client.sites.create({ name: 'S', timezone: 'UTC', map: { image_url } })
  const device = await client.devices.create({ name: 'D', site_id: site.id, product_id: 'controller' })
  const gadget = await client.gadgets.create({ name: 'G', device_id: device.id })
  const group = await client.member_groups.create({ name: 'M', permissions: [{ gadget_id: gadget.id }] })
  const granted = await client.grants.create({
    member: {},
    member_group_ids: [group.id],
    credentials: { magic_link: true },
  } as never)
  const [link] = (granted as never as { magic_links: { link: string }[] }).magic_links
  const { body } = await new Phone(w).enter(link?.link as string)
  const shown = body.home.sites[0]?.map?.image_url as string
  return shown.replace(/^https?:\/\/[^/]+/, w.url)
}

test('a picture comes from our own origin, fetched once, and its URL cannot be made up', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'text/html').end(png)
  const url = await shownFor(`${origin}/house.png`)
  for (let repeat = 0; repeat < 2; repeat++) {
    const picture = await fetch(url)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await picture.arrayBuffer()).equals(png)).toBe(true)
  }
  expect(asked).toEqual(['/house.png'])
  for (const bad of [
    url.slice(0, -3),
    url.replace(/\?v=.*/, ''),
    url.replace(/site_\w+/, 'site_00000000000000000000'),
  ])
    expect((await fetch(bad)).status).toBe(404)
})

test.each<[string, typeof answer]>([
  [
    'no picture',
    (_request, response) => response.setHeader('content-type', 'image/png').end('<svg onload=1>'),
  ],
  ['too large', (_request, response) => response.end(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))],
  ['elsewhere', (_request, response) => response.writeHead(302, { location: `${origin}/other.png` }).end()],
  ['an error', (_request, response) => response.writeHead(500).end(png)],
])('what is %s is not passed on', async (name, given) => {
  answer = given
  asked.length = 0
  const url = await shownFor(`${origin}/${encodeURIComponent(name)}`)
  expect((await fetch(url)).status).toBe(404)
  expect(asked).toHaveLength(1)
})

test('addresses of the inner network are not asked', async () => {
  await using outside = await world({ public_url: 'https://gatehouse.example' })
  const stranger = await outside.tenant('Stranger')
  const before = w
  w = outside
  try {
    asked.length = 0
    for (const host of [origin, 'http://169.254.169.254', 'http://[::1]:1'])
      expect((await fetch(await shownFor(`${host}/x.png`, stranger.client))).status).toBe(404)
    expect(asked).toEqual([])
  } finally {
    w = before
  }
})

test('a member and an address may ask so often and no more', async () => {
  await using limited = await world({ rate_limit: 500 })
  const hotel = await limited.tenant('Limited')
  const granted = await hotel.client.grants.create({
    member: {},
    member_group_ids: [],
    credentials: { magic_link: true },
  } as never)
  const [link] = (granted as never as { magic_links: { link: string }[] }).magic_links
  const phone = new Phone(limited)
  await phone.enter(link?.link as string)
  const answers = await Promise.all(Array.from({ length: 200 }, () => phone.ask('GET', '/me')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toContain(429)
  const slowed = answers.find(({ status }) => status === 429)
  expect(slowed?.headers.get('retry-after')).toBe('1')
  expect(answers[0]?.headers.get('ratelimit-limit')).toBe('10')
  const strangers = await Promise.all(
    Array.from({ length: 100 }, () =>
      new Phone(limited).ask('POST', '/email_codes', { email: 'a@example.com' }),
    ),
  )
  expect(strangers.map(({ status }) => status)).toContain(429)
})

test('an organization whose pictures take long has a few under way, and others still get theirs', async () => {
  const waiting: ServerResponse[] = []
  answer = (request, response) => {
    if (request.url?.startsWith('/slow')) waiting.push(response)
    else response.end(png)
  }
  const slow = await Promise.all(Array.from({ length: 8 }, (_, n) => shownFor(`${origin}/slow-${n}.png`)))
  const fast = await shownFor(`${origin}/fast.png`, (await w.tenant('Others')).client)
  const asked = slow.map(url => fetch(url).then(({ status }) => status))
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  expect((await fetch(fast)).status).toBe(200)
  expect(waiting.length).toBeLessThanOrEqual(4)
  for (const response of waiting) response.end(png)
  const statuses = await Promise.all(asked)
  expect(statuses.filter(status => status === 200)).toHaveLength(4)
  expect(statuses.filter(status => status === 429)).toHaveLength(4)
  for (const url of slow.filter((_, n) => statuses[n] === 429).slice(0, 1)) {
    const again = fetch(url)
    await expect.poll(() => waiting.length).toBe(5)
    waiting[4]?.end(png)
    expect((await again).status).toBe(200)
  }
})
