import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConnectionGate } from '../src/http/kit/connection-gate.ts'
import { canShare, WideListener } from '../src/http/kit/wide-listener.ts'

test('nobody is answered before the gate opens, and nobody who came before is forgotten', async () => {
  const server = createServer((_, answer) => answer.end('here'))
  const gate = new ConnectionGate(server)
  server.listen({ host: '127.0.0.1', port: 0, reusePort: canShare } as { host: string })
  await once(server, 'listening')
  await using wide = new WideListener(server)
  if (canShare) await wide.open()
  const { port } = server.address() as AddressInfo
  let answers = 0
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n')
    socket.once('data', () => answers++)
  }
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  await sleep(50)
  expect(answers).toBe(0)
  gate.open()
  await expect.poll(() => answers).toBe(sockets.length)
  gate.closeAll()
  await Promise.all(sockets.map(socket => socket.destroyed || once(socket, 'close')))
  server.close()
})
