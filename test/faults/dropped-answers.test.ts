import { randomUUID } from 'node:crypto'
import { connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Chance,
  holdMembers,
  manyOr,
  seed,
  type Tenant,
  type World,
  within,
  world,
} from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const chance = new Chance(seed)
const drops = manyOr(30)
const clients = 8
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world()
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

describe('a request with an Idempotency-Key', () => {
  it(
    `makes one object each when ${drops} answers are dropped and the requests repeated`,
    within(120),
    async () => {
      const keys = Array.from({ length: drops }, () => randomUUID())
      const waiting = [...keys]
      await Promise.all(Array.from({ length: clients }, () => dropAndRepeat(waiting)))
      const { db } = w.server.context
      const rows = await db.query<{ name: string }>('SELECT name FROM members')
      expect(rows.map(({ name }) => name).sort()).toEqual(keys.sort())
      const events = await db.query(
        `SELECT 1 FROM events WHERE verb = 'create' AND object->>'type' = 'member'`,
      )
      expect(events.length).toBe(drops)
    },
  )

  it('is refused with another body, another path or another query', async () => {
    const key = randomUUID()
    expect((await create(key, 'First')).status).toBe(200)
    const others = [
      create(key, 'Second'),
      post('/grants', key, { name: 'First' }),
      post('/members?expand=tags', key, { name: 'First' }),
    ]
    for (const answer of await Promise.all(others)) {
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ type: 'idempotency_conflict' })
    }
  })

  it('is told to wait while the first still runs, and then gets its answer', async () => {
    const { id } = (await (await create(randomUUID(), 'Held')).json()) as { id: string }
    const key = randomUUID()
    const hold = await holdMembers(w.server.context.db)
    const first = addEmail(id, key)
    await hold.waitedFor()
    const second = await addEmail(id, key)
    expect(second.status).toBe(409)
    expect(second.headers.get('retry-after')).toBe('1')
    expect(await second.json()).toMatchObject({ type: 'idempotency_in_progress' })
    await hold.release()
    const answer = await (await first).text()
    const repeated = await addEmail(id, key)
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
    expect(await repeated.text()).toBe(answer)
  })

  it('leaves nothing behind when it fails, so that it may be mended and repeated', async () => {
    const key = randomUUID()
    expect((await post('/members', key, { name: 7 })).status).toBe(400)
    expect((await create(key, 'Mended')).status).toBe(200)
  })
})

async function dropAndRepeat(waiting: string[]): Promise<void> {
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    await createAndHangUp(key)
    const first = await createPatiently(key)
    const again = await createPatiently(key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
  }
}

/** Sends the whole request, then disconnects before the response. */
function createAndHangUp(key: string): Promise<void> {
  const body = JSON.stringify({ name: key })
  const request = [
    'POST /v2/members HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${tenant.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `idempotency-key: ${key}`,
  ]
  return new Promise((resolve, reject) => {
    const socket = dial(Number(new URL(w.url).port), '127.0.0.1').once('error', reject)
    socket.once('close', () => resolve())
    socket.write(`${request.join('\r\n')}\r\n\r\n${body}`, () =>
      setTimeout(() => socket.destroy(), chance.whole(0, 3)),
    )
  })
}

async function createPatiently(key: string): Promise<Response> {
  for (;;) {
    const answer = await create(key, key)
    if (answer.status === 200) return answer
    expect(answer.status).toBe(409)
    await sleep(5)
  }
}

function create(key: string, name: string): Promise<Response> {
  return post('/members', key, { name })
}

function addEmail(id: string, key: string): Promise<Response> {
  return post(`/members/${id}/emails`, key, { email: 'ada@example.com' })
}

function post(path: string, key: string, body: object): Promise<Response> {
  return fetch(`${w.url}/v2${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
}
