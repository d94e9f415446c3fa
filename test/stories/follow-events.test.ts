import { createServer, connect as dial, type Socket } from 'node:net'
import { type Client, createClient, type StreamedEvent } from '@gatehouse-access/sdk'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(async () => {
  w.clock.set(new Date().toISOString())
  tenant = await w.tenant()
})

const filter = [{ object_type: 'member', verb: 'create' }]

/** A connection to the service that can be cut. */
async function openLine() {
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer(near => {
    const far = dial(Number(new URL(w.url).port), '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .once('close', () => {
          near.destroy()
          far.destroy()
          sockets.delete(socket)
        })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const cut = () => {
    if (sockets.size > 0) cuts++
    for (const socket of sockets) socket.destroy()
  }
  return {
    base_url: `http://127.0.0.1:${port}/v2`,
    cut,
    cuts: () => cuts,
    [Symbol.dispose]() {
      cut()
      server.close()
    },
  }
}

/** Follows events in the background and keeps them, as an integrator would. */
function follow(client: Client, signal: AbortSignal, after?: string) {
  const seen: StreamedEvent[] = []
  const run = async () => {
    for await (const entry of client.events.stream({ filter, signal, ...(after && { after }) }))
      seen.push(entry)
  }
  return { seen, ended: run(), ids: () => seen.map(({ event }) => event.object.member_id) }
}

async function createMembers(count: number, between: (index: number) => void = () => {}): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await tenant.client.members.create({})).id)
    between(index)
  }
  return ids
}

test('an integrator follows the events with a loop; cut lines leave no gap and repeat nothing', async () => {
  using line = await openLine()
  const end = new AbortController()
  const client = createClient({ base_url: line.base_url, token: tenant.token })
  const following = follow(client, end.signal, await w.server.context.feed.head())
  const ids = await createMembers(60, index => {
    if (index % 15 === 7) line.cut()
  })
  await expect.poll(following.ids, { timeout: 20_000 }).toEqual(ids)
  expect(line.cuts()).toBeGreaterThan(0)
  expect(following.seen[0]?.event).toEqual(
    await tenant.client.events.get(following.seen[0]?.event.id as string),
  )
  end.abort()
  await following.ended
  const stop = new AbortController()
  const later = follow(client, stop.signal, following.seen[9]?.cursor)
  await expect.poll(later.ids).toEqual(ids.slice(10))
  stop.abort()
  await later.ended
})

test('a token that ends is replaced by the function that tokens come from', async () => {
  const asked: (string | undefined)[] = []
  const tokens = [await tenant.tokenWith(['full_read_only'])]
  const token = async (refused?: string) => {
    asked.push(refused)
    if (refused === tokens.at(-1)) tokens.push(await tenant.tokenWith(['full_read_only']))
    return tokens.at(-1) as string
  }
  const end = new AbortController()
  const after = await w.server.context.feed.head()
  const following = follow(createClient({ base_url: `${w.url}/v2`, token }), end.signal, after)
  const ids = await createMembers(3)
  await expect.poll(following.ids).toEqual(ids)
  w.clock.advance(3601)
  await expect.poll(() => tokens.length).toBe(2)
  ids.push(...(await createMembers(3)))
  await expect.poll(following.ids).toEqual(ids)
  expect(asked).toContain(tokens[0])
  end.abort()
  await following.ended
})

test('what asking again would not change is thrown', async () => {
  const first = (client: Client, wish: object) => client.events.stream(wish).next()
  const stranger = createClient({ base_url: `${w.url}/v2`, token: 'gha_unknown' })
  await expect(first(stranger, {})).rejects.toMatchObject({ status: 401, type: 'unauthenticated' })
  const same = createClient({ base_url: `${w.url}/v2`, token: () => 'gha_unknown' })
  await expect(first(same, {})).rejects.toMatchObject({ status: 401 })
  await expect(first(tenant.client, { filter: [{}] })).rejects.toMatchObject({ status: 400 })
  await expect(first(tenant.client, { after: 'x' })).rejects.toMatchObject({ status: 400 })
})

test('leaving the loop closes the connection', async () => {
  const end = new AbortController()
  const after = await w.server.context.feed.head()
  const reading = (async () => {
    for await (const { event } of tenant.client.events.stream({ filter, signal: end.signal, after }))
      return event
  })()
  const [id] = await createMembers(1)
  expect(await reading).toMatchObject({ object: { member_id: id } })
  const open = async () =>
    (await (await fetch(`${w.url}/metrics`)).text()).match(/gatehouse_streams (\d+)/)?.[1]
  await expect.poll(open).toBe('0')
})
