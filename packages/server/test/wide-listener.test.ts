import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { canShare, requireFreePort, WideListener } from '../src/http/kit/wide-listener.ts'

const crowd = 200

/** Counts the event loop turns until all connections of a crowd are accepted. */
async function countTurns(isWide: boolean): Promise<number> {
  const server = createServer((_, answer) => answer.end('here'))
  server.listen({ host: '127.0.0.1', port: 0, reusePort: isWide } as { host: string })
  await once(server, 'listening')
  await using wide = new WideListener(server)
  if (isWide) await wide.open()
  let accepted = 0
  server.on('connection', () => accepted++)
  const { port } = server.address() as AddressInfo
  // The kernel completes all connections before the event loop accepts any: connecting needs no action here.
  const sockets = Array.from({ length: crowd }, () => connect(port, '127.0.0.1'))
  let turns = 0
  while (accepted < crowd) {
    turns++
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await ask(sockets.at(-1) as Socket)).toContain('here')
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => server.close(resolve))
  return turns
}

async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
  return String((await once(socket, 'data'))[0])
}

test.runIf(canShare)(
  'a crowd is accepted in a fraction of the turns that it would take one by one',
  async () => {
    expect(await countTurns(false)).toBeGreaterThanOrEqual(crowd)
    expect(await countTurns(true)).toBeLessThan(crowd / 8)
  },
)

test('a port that another server shares among its sockets is not free', async () => {
  const server = createServer()
  server.listen({ host: '127.0.0.1', port: 0, reusePort: canShare } as { host: string })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(requireFreePort('127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  server.close()
})
