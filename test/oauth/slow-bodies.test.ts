import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let w: World
const open: Socket[] = []

beforeAll(async () => {
  w = await world({ is_reachable: true })
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  await w[Symbol.asyncDispose]()
})

const form = 'grant_type=refresh_token&client_id=nobody&refresh_token=none'

function head(length: number): string {
  return `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n`
}

async function send(...parts: string[]): Promise<Socket> {
  const { port } = new URL(w.url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  open.push(socket)
  await once(socket, 'connect')
  for (const part of parts) await new Promise(resolve => socket.write(part, resolve))
  return socket
}

async function answerOf(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

async function inFlight(): Promise<string | undefined> {
  const text = await (await fetch(`${w.url}/metrics`)).text()
  return /gatehouse_turns_in_flight\{lane="page"\} (\d+)/.exec(text)?.[1]
}

test('bodies that do not come keep nobody from signing in', async () => {
  const slow = await Promise.all(Array.from({ length: 80 }, () => send(head(form.length), form.slice(0, 9))))
  expect(await inFlight()).toBe('0')
  const [page, token] = await Promise.all([
    fetch(`${w.url}/sign-in`),
    fetch(`${w.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) }),
  ])
  expect([page.status, token.status]).toEqual([200, 401])
  expect(await token.json()).toMatchObject({ error: 'invalid_client' })
  const [late] = slow as [Socket]
  late.write(form.slice(9))
  expect(await answerOf(late)).toMatch(/^HTTP\/1.1 401.*invalid_client/s)
})

test.each([
  ['too large', 100_000],
  ['of the largest size', 56 * 1024],
])('a body %s is answered', async (_what, size) => {
  const filler = `${form}&state=`.padEnd(size, 'x')
  const socket = await send(head(size), filler.slice(0, 30_000), filler.slice(30_000))
  expect(await answerOf(socket)).toMatch(size > 56 * 1024 ? /^HTTP\/1.1 400/ : /^HTTP\/1.1 401/)
})

test('who hangs up leaves nothing behind', async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await expect.poll(inFlight).toBe('0')
})
