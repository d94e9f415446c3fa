import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { test } from 'vitest'
import { StreamClient } from './stream-client.ts'

const events = 3000
/** Milliseconds, instead of the readers' default of 30 seconds. */
const longest_stall = 3000

/** Writes more than all buffers between the service and its reader hold: 30 MB. */
async function writeMuch(w: World, tenant: Tenant): Promise<void> {
  await w.server.context.db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT 'evt_' || lpad(n::text, 20, '0'), $1, jsonb_build_object('client', jsonb_build_object('user_agent', repeat('x', 10000))),
       'use', '{"type":"gadget_action"}', now(), now(), false FROM generate_series(1, ${events}) n`,
    [tenant.organization_id],
  )
  w.server.context.db.afterCommit('events_written')
}

const expected = Array.from({ length: events }, (_, index) => `evt_${String(index + 1).padStart(20, '0')}`)
const filter = [{ object_type: 'gadget_action' }]

async function closedAsTooSlow(w: World): Promise<number> {
  const text = await (await fetch(`${w.url}/metrics`)).text()
  return Number(/gatehouse_streams_closed_total\{reason="too_slow"\} (\d+)/.exec(text)?.[1] ?? 0)
}

// Both tests wait for a stall, so they run in parallel, each with its own service. Then the WebSocket has
// five seconds to receive what was sent, so the other test reads only afterwards.
let reading: Promise<void> | undefined

test.concurrent('a WebSocket that takes nothing for long is closed with 4008, and goes on by cursor', {
  ...within(120),
}, async ({ expect }) => {
  using owned = new DisposableStack()
  const read = Promise.withResolvers<void>()
  reading = read.promise
  owned.defer(read.resolve)
  await using w = await world({ http: { longest_stall } })
  const tenant = await w.tenant()
  const url = `${w.url}/v2/events/stream`
  const slow = new StreamClient(url, tenant.token)
  await slow.subscribe({ filter })
  await expect.poll(() => slow.messages.length).toBe(1)
  const before = await closedAsTooSlow(w)
  slow.socket.pause()
  const begin = performance.now()
  await writeMuch(w, tenant)
  await expect.poll(() => closedAsTooSlow(w), { timeout: 60_000, interval: 250 }).toBe(before + 1)
  expect(performance.now() - begin).toBeGreaterThan(longest_stall * 0.8)
  slow.socket.resume()
  expect(await slow.closed).toEqual({ code: 4008, reason: 'too_slow' })
  expect(slow.messages.at(-1)).toMatchObject({ type: 'error', error: { type: 'too_slow' } })
  expect(slow.events.length).toBeLessThan(events)
  const resumed = new StreamClient(url, tenant.token)
  await resumed.subscribe({ filter, after: slow.cursor })
  await expect
    .poll(() => slow.events.length + resumed.events.length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(events)
  expect([...slow.events, ...resumed.events].map(({ id }) => id)).toEqual(expected)
  resumed.socket.terminate()
})

test.concurrent('Server-Sent Events that nobody takes for long are broken off, and go on by Last-Event-ID', {
  ...within(120),
}, async ({ expect }) => {
  await using w = await world({ http: { longest_stall } })
  const tenant = await w.tenant()
  const listen = async (after?: string): Promise<IncomingMessage> => {
    const headers = {
      authorization: `Bearer ${tenant.token}`,
      accept: 'text/event-stream',
      ...(after && { 'last-event-id': after }),
    }
    const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
    const request = get(`${w.url}/v2/events/stream?${query}`, { headers })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }
  const slow = await listen()
  const before = await closedAsTooSlow(w)
  await writeMuch(w, tenant)
  await expect.poll(() => closedAsTooSlow(w), { timeout: 60_000, interval: 250 }).toBe(before + 1)
  await reading
  const first = readAll(slow)
  await new Promise(resolve => slow.once('close', resolve))
  expect(first.ids.length).toBeLessThan(events)
  const resumed = await listen(first.cursor())
  const second = readAll(resumed)
  await expect
    .poll(() => first.ids.length + second.ids.length, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(events)
  expect([...first.ids, ...second.ids]).toEqual(expected)
  resumed.destroy()
})

/** Parses only complete messages. A message that was cut off is sent again. */
function readAll(response: IncomingMessage) {
  const ids: string[] = []
  let cursor: string | undefined
  let text = ''
  response.on('error', () => {})
  response.setEncoding('utf8').on('data', chunk => {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      cursor = /^id: (.*)$/m.exec(block)?.[1] ?? cursor
      const id = /"event":\{"id":"([^"]+)"/.exec(block)?.[1]
      if (id) ids.push(id)
    }
  })
  return { ids, cursor: () => cursor }
}
