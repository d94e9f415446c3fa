import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { manyOr, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'

const file = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART;VALUE=DATE:20271224\r\nSUMMARY:Eve\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
/** As many as a tenant can have in soak. A source that hangs costs ten seconds. */
const slow = Math.min(50, manyOr(6))

let owned: AsyncDisposableStack
let w: World
let sources: Sources

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  sources = owned.use(await openSources())
  w = owned.use(await world({ jobs: true }))
  // Nobody is asked any more when the service ends.
  owned.defer(() => sources.answer())
})
afterEach(() => owned.disposeAsync())

test('a tenant whose calendar files hang has one of them read at a time, and delays nobody', async () => {
  const tenant = await w.tenant('Slow')
  await subscribe(tenant, 'slow', slow)
  await expect.poll(() => sources.waiting('slow')).toBe(1)
  const neighbours = await Promise.all(['One', 'Two', 'Three', 'Four'].map(name => w.tenant(name)))
  const waits = await Promise.all(neighbours.map(measure))
  console.log(`${slow} files hang; neighbours waited ${waits.map(Math.round).join(', ')} ms for theirs`)
  expect(sources.most('slow')).toBe(1)
})

test('tenants take turns: one that comes later waits for one slow file, not for all of them', async () => {
  const tenants = await Promise.all(['One', 'Two', 'Three', 'Four'].map(name => w.tenant(name)))
  for (const [index, tenant] of tenants.entries()) await subscribe(tenant, `slow${index}`, slow)
  await expect.poll(() => sources.waiting('slow')).toBe(4)
  const { client } = await w.tenant('Late')
  const { id } = await client.calendars.create(from('quick'))
  sources.answerOne('slow0')
  await expect.poll(async () => (await client.calendars.get(id)).refreshed_at).not.toBe(null)
  expect(sources.most('slow')).toBe(4)
})

/** Returns the milliseconds after which a new calendar has its days. */
async function measure({ client }: Tenant): Promise<number> {
  const began = performance.now()
  const { id } = await client.calendars.create(from('quick'))
  await expect.poll(async () => (await client.calendar_days.list(id)).data.length).toBe(1)
  return performance.now() - began
}

async function subscribe({ client }: Tenant, path: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await client.calendars.create(from(path))
}

function from(path: string) {
  return { name: path, source: { type: 'ics' as const, url: `${sources.url}/${path}` } }
}

interface Sources extends AsyncDisposable {
  readonly url: string
  /** How many requests wait whose path begins so. */
  waiting(path: string): number
  /** The most that waited at the same time. */
  most(path: string): number
  answerOne(path: string): void
  /** Answers everything from now on. */
  answer(): void
}

/** A server of calendar files that does not answer for paths that begin with `slow`. */
async function openSources(): Promise<Sources> {
  const held = new Map<ServerResponse, string>()
  const most = new Map<string, number>()
  let is_quick = false
  const server = createServer(({ url = '' }, response) => {
    if (is_quick || !url.startsWith('/slow')) return response.end(file)
    held.set(response, url)
    response.once('close', () => held.delete(response))
    for (const path of ['slow', url.slice(1)])
      most.set(path, Math.max(most.get(path) ?? 0, pathsOf(path).length))
  })
  const pathsOf = (path: string) => [...held].filter(([, url]) => url.startsWith(`/${path}`))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: path => pathsOf(path).length,
    most: path => most.get(path) ?? 0,
    answerOne: path => pathsOf(path)[0]?.[0].end(file),
    answer() {
      is_quick = true
      for (const [response] of held) response.end(file)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
