import { once } from 'node:events'
import { connect as dial } from 'node:net'
import { connect } from '@gatehouse-access/server'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World

beforeAll(async () => {
  w = await world({ is_reachable: true })
})
afterAll(() => w[Symbol.asyncDispose]())

const plain = 'Accept: text/event-stream'
const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

/** Requests a stream and disconnects without waiting for a response. */
async function hangUp(token: string, kind: string): Promise<void> {
  const socket = dial(Number(new URL(w.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = `GET /v2/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${kind}\r\n\r\n`
  await new Promise(resolve => socket.write(head, resolve))
  socket.destroy()
}

test.each([
  ['an answer', plain],
  ['a WebSocket', upgrade],
])('whoever hangs up before a stream begins as %s holds no place', async (_what, kind) => {
  const tenant = await w.tenant()
  const headers = { authorization: `Bearer ${tenant.token}`, accept: 'text/event-stream' }
  await using own = connect({ url: w.database_url }, 1)
  await own.transaction(async db => {
    // Holds the table lock, so that no caller can be authenticated.
    await db.query('LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE')
    await Promise.all(Array.from({ length: 100 }, () => hangUp(tenant.token, kind)))
    const begun = performance.now()
    for (let times = 0; times < 5; times++) await metrics()
    // Behind those who wait for the lock it would take until their statements are given up, 20 seconds.
    expect(performance.now() - begun).toBeLessThan(15_000)
  })
  const open = async () => {
    const answer = await fetch(`${w.url}/v2/events/stream`, { headers })
    await answer.body?.cancel()
    return answer.status
  }
  await expect.poll(open).toBe(200)
  await expect.poll(async () => /gatehouse_streams (\d+)/.exec(await metrics())?.[1]).toBe('0')
})

async function metrics(): Promise<string> {
  return (await fetch(`${w.url}/metrics`)).text()
}
