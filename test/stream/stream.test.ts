import { setTimeout as sleep } from 'node:timers/promises'
import { quickest, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { importFile } from '../imports/importing.ts'
import { StreamClient } from './stream-client.ts'

let w: World
let tenant: Tenant
let url: string

beforeAll(async () => {
  w = await world()
  url = `${w.url}/v2/events/stream`
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(async () => {
  w.clock.set(new Date().toISOString())
  tenant = await w.tenant()
})

async function open(wish: object = {}, token = tenant.token): Promise<StreamClient> {
  const client = new StreamClient(url, token)
  await client.subscribe(wish)
  await expect.poll(() => client.messages[0]?.type).toBeDefined()
  return client
}

describe('over WebSocket', () => {
  test('ready, then every event of the organization and of no other, in the shape of GET', async () => {
    const client = await open({ filter: [{ object_type: 'member' }] })
    expect(client.messages[0]).toEqual({ type: 'ready', cursor: expect.any(String) })
    await (await w.tenant()).client.members.create({})
    const { id } = await tenant.client.members.create({ name: 'Ada' })
    await expect.poll(() => client.events).toHaveLength(1)
    expect(client.events[0]).toMatchObject({ verb: 'create', object: { member_id: id } })
    expect(client.events[0]).toEqual(await tenant.client.events.get(client.events[0]?.id as string))
    client.socket.close()
  })

  test('filter and expand as a webhook has them; an empty filter matches nothing', async () => {
    const filtered = await open({
      filter: [{ object_type: 'member', verb: 'create' }],
      expand: ['object_member'],
    })
    const nothing = await open({ filter: [] })
    const { id } = await tenant.client.members.create({ name: 'Ada' })
    await tenant.client.members.edit(id, { name: 'Eve' })
    await tenant.client.members.create({ name: 'Bob' })
    await expect.poll(() => filtered.events).toHaveLength(2)
    expect(filtered.events[1]).toMatchObject({ object_member: { name: 'Bob' } })
    expect(nothing.events).toEqual([])
  })

  test('null for the job leaves out what imports write', async () => {
    await using _ = new JobRunner(w.server.context, jobTypes)
    const client = await open({ filter: [{ object_type: 'member', 'object.job_id': null }] })
    await importFile(tenant, 'external_id,name\nA,Ann\n')
    const { id } = await tenant.client.members.create({ name: 'Bob' })
    await expect.poll(() => client.events).toHaveLength(1)
    expect(client.events[0]).toMatchObject({ object: { member_id: id } })
    client.socket.close()
  })

  test('after resumes without gap or duplicate, from any cursor', async () => {
    const client = await open({ filter: [{ object_type: 'member' }] })
    for (let index = 0; index < 5; index++) await tenant.client.members.create({})
    await expect.poll(() => client.events).toHaveLength(5)
    const [, first] = client.messages
    client.socket.terminate()
    await tenant.client.members.create({})
    const resumed = await open({ after: first?.cursor })
    await tenant.client.members.create({})
    await expect.poll(() => resumed.events).toHaveLength(6)
    expect(resumed.events.slice(0, 4)).toEqual(client.events.slice(1))
  })

  test('wrong messages are told what is wrong, and may be mended', async () => {
    const client = new StreamClient(url, tenant.token)
    await client.opened
    const wrong = [
      '{',
      '{"type":"hello"}',
      '{"type":"subscribe","after":"x"}',
      '{"type":"subscribe","filter":[{}]}',
    ]
    for (const text of [...wrong, '{"type":"subscribe","expand":["nope"]}']) client.socket.send(text)
    await expect.poll(() => client.messages).toHaveLength(5)
    expect(client.messages.map(({ error }) => error?.type)).toEqual(Array(5).fill('invalid_request'))
    expect(client.messages[4]?.error?.message).toBe("Invalid expand 'nope' for object 'event'")
    await client.subscribe()
    // An event stored just before may follow 'ready' at once.
    await expect.poll(() => client.messages[5]?.type).toBe('ready')
  })

  test('a browser opens it with a ticket, once and soon; nothing else opens it', async () => {
    const { ticket } = await tenant.client.events.issue_stream_ticket()
    const client = new StreamClient(`${url}?ticket=${ticket}`)
    await client.subscribe()
    await expect.poll(() => client.messages[0]?.type).toBe('ready')
    await expect(new StreamClient(`${url}?ticket=${ticket}`).opened).rejects.toThrow('401')
    await expect(new StreamClient(url).opened).rejects.toThrow('401')
    const late = await tenant.client.events.issue_stream_ticket()
    w.clock.advance(31)
    await expect(new StreamClient(`${url}?ticket=${late.ticket}`).opened).rejects.toThrow('401')
  })

  test('is closed within a second when its token is revoked or expires, and resumes with another', async () => {
    const other = await open()
    const revokeAndSee = async () => {
      const revoked = await open({}, await tenant.tokenWith(['full_read_only']))
      const begin = performance.now()
      await w.server.context.db.query(
        `UPDATE access_tokens SET revoked_at = now() WHERE organization_id = $1 AND scopes = '{full_read_only}'`,
        [tenant.organization_id],
      )
      expect(await revoked.closed).toEqual({ code: 4001, reason: 'token_ended' })
      return performance.now() - begin
    }
    expect(await quickest(1000, revokeAndSee)).toBeLessThan(1000)
    w.clock.advance(3601)
    expect((await other.closed).code).toBe(4001)
    const { id } = await tenant.client.members.create({})
    // Events from before `other` was ready may have reached readers after it.
    const wish = { after: other.cursor, filter: [{ object_type: 'member' }] }
    const resumed = await open(wish, await tenant.tokenWith(['full_read_only']))
    await expect.poll(() => resumed.events).toMatchObject([{ verb: 'create', object: { member_id: id } }])
  })

  test('a stream that opens while tokens are looked at is not taken for one whose token ended', async () => {
    await open()
    const token = await tenant.tokenWith(['full_read_only'])
    // From here on, the service caches the token for a second.
    const known = await open({}, token)
    known.socket.terminate()
    const held = w.server.context.db.transaction(async inner => {
      await inner.query('LOCK TABLE organization_users IN ACCESS EXCLUSIVE MODE')
      await sleep(900)
    })
    await sleep(450)
    const late = await open({}, token)
    await held
    await sleep(600)
    expect(late.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('a token may have 100 streams', async () => {
    const token = await tenant.tokenWith(['full_read_only'])
    const clients = Array.from({ length: 105 }, () => new StreamClient(url, token))
    // Each client subscribes as soon as it is open. A silent client is closed after 10 seconds, which would
    // free a slot.
    const opened = await Promise.allSettled(clients.map(client => client.subscribe()))
    const refused = opened.filter(result => result.status === 'rejected')
    expect(refused.map(({ reason }) => String(reason))).toEqual(Array(5).fill(expect.stringContaining('429')))
    for (const { socket } of clients) socket.terminate()
    const opensAgain = () =>
      new StreamClient(url, token).opened.then(
        () => true,
        () => false,
      )
    await expect.poll(opensAgain).toBe(true)
  })
})

describe('as Server-Sent Events', () => {
  const listen = (query: string, headers: object = {}) =>
    fetch(`${url}${query}`, {
      headers: { authorization: `Bearer ${tenant.token}`, accept: 'text/event-stream', ...headers },
    })

  test('the same messages, with the cursor as their id, resumed by Last-Event-ID', async () => {
    const answer = await listen(`?filter=${encodeURIComponent('[{"object_type":"member"}]')}`)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const reader = readLines(answer)
    const ready = await reader.next()
    expect(ready.value).toMatchObject({ type: 'ready' })
    await tenant.client.members.create({})
    const first = await reader.next()
    expect(first.value).toMatchObject({ type: 'event', event: { verb: 'create' } })
    await reader.return?.(undefined)
    await tenant.client.members.create({})
    const resumed = readLines(await listen('', { 'last-event-id': first.value?.cursor }))
    await resumed.next()
    expect((await resumed.next()).value).toMatchObject({
      type: 'event',
      event: { object: { type: 'member' } },
    })
    await resumed.return?.(undefined)
  })

  test('without Accept, and with a wrong filter, it is a 400', async () => {
    expect((await listen('', { accept: '*/*' })).status).toBe(400)
    expect((await listen('?filter=x')).status).toBe(400)
    expect((await listen('?filters=x')).status).toBe(400)
  })
})

async function* readLines(
  answer: Response,
): AsyncGenerator<{ type: string; cursor: string } & Record<string, unknown>> {
  let text = ''
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const block = text.slice(0, at)
      text = text.slice(at + 2)
      yield JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null')
    }
  }
}
