import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildConnector } from 'undici'
import { describe, expect, test } from 'vitest'
import { openDeadlines, send } from '../src/delivery/webhooks/send.ts'
import { signingKey } from '../src/delivery/webhooks/sign.ts'
import { systemTimers } from '../src/flow/timers.ts'
import { Connections } from '../src/outbound/connections.ts'
import { openTargets } from '../src/outbound/targets.ts'

const key = signingKey('whsec_AAAA')
const dial = buildConnector({})

/** A receiver that counts its connections, in total and open. */
function receive(answer: RequestListener, longestIdle?: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  return connect(server, longestIdle)
}

async function connect(server: Server, longestIdle?: number) {
  const sockets = new Set<Socket>()
  const seen = { made: 0, open: 0 }
  server.on('connection', socket => {
    seen.made++
    seen.open++
    sockets.add(socket)
    socket.on('close', () => seen.open--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connections = new Connections(() => dial, systemTimers, longestIdle)
  const deadlines = openDeadlines(systemTimers)
  const sender = { connections, deadlines, targets: openTargets({ allow: [], loopback: true }) }
  const { port } = server.address() as AddressInfo
  const target = { origin: `http://127.0.0.1:${port}`, path: '/', address: '127.0.0.1', key }
  return {
    seen,
    post: (body = Buffer.from('it')) =>
      send(sender, { organization_id: 'org_1', target, headers: ['content-type', 'text/plain'], body }),
    async [Symbol.asyncDispose]() {
      await connections[Symbol.asyncDispose]()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('connections to receivers', () => {
  test('they are used again: there are no more than there were POSTs at once', async () => {
    await using receiver = await receive((_, response) => response.end('well'))
    for (const _ of times(20))
      expect(await receiver.post()).toMatchObject({ status_code: 200, answer: 'well' })
    expect(receiver.seen.made).toBe(1)
    for (const _ of times(20)) await Promise.all(times(4).map(() => receiver.post()))
    expect(receiver.seen.made).toBe(4)
  })

  test.each<[string, RequestListener]>([
    ['it says that it closes', (_, response) => response.setHeader('connection', 'close').end('well')],
    [
      'the answer ends with the connection',
      (_, response) => void response.socket?.end('HTTP/1.1 200 OK\r\n\r\nwell'),
    ],
  ])('a receiver that closes each gets every one: %s', async (_, answer) => {
    await using receiver = await receive(answer)
    for (const _ of times(20))
      expect(await receiver.post()).toMatchObject({ status_code: 200, answer: 'well' })
    const answers = await Promise.all(times(20).map(() => receiver.post()))
    expect(answers.filter(({ status_code }) => status_code === 200)).toHaveLength(20)
    expect(receiver.seen.made).toBe(40)
  })

  test('a receiver that closes without saying so fails once, and then each has its own', async () => {
    await using receiver = await receive((_, response) => {
      const { socket } = response
      socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell')
      setTimeout(() => socket?.destroy(), 5)
    })
    const answers = []
    for (const _ of times(20)) answers.push(await receiver.post())
    expect(answers.filter(({ error }) => error === 'connection_closed').length).toBeLessThanOrEqual(1)
    expect(answers.filter(({ answer }) => answer === 'well').length).toBeGreaterThanOrEqual(19)
  })

  test('a receiver that answers without reading cannot let us gather what it leaves', async () => {
    const server = createTcpServer(socket => {
      socket.on('error', () => {})
      socket.once('readable', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    })
    await using receiver = await connect(server)
    const body = Buffer.alloc(32 * 1024 * 1024)
    for (const _ of times(2)) {
      expect(await receiver.post(body)).toMatchObject({ status_code: 200 })
      await sleep(20)
    }
    expect(receiver.seen.made).toBe(2)
  })

  test('one that broke is not used again', async () => {
    let count = 0
    await using receiver = await receive((_, response) => {
      if (count++ % 2 === 0) response.socket?.resetAndDestroy()
      else response.end()
    })
    for (const _ of times(3)) {
      expect(await receiver.post()).toMatchObject({ status_code: null, error: 'connection_closed' })
      expect(await receiver.post()).toMatchObject({ status_code: 200, error: null })
    }
  })

  test('one that is idle for long is closed, and the next is made when it is needed', async () => {
    await using receiver = await receive((_, response) => response.end(), 1000)
    await Promise.all(times(3).map(() => receiver.post()))
    expect(receiver.seen.open).toBe(3)
    await expect.poll(() => receiver.seen.open).toBe(0)
    expect(await receiver.post()).toMatchObject({ status_code: 200 })
    expect(receiver.seen.made).toBe(4)
  })
})
