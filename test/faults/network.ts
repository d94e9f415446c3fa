import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'

/** A way to the database over TCP that can break in the ways networks do. */
export interface Network extends AsyncDisposable {
  /** The URL of the database over this way. */
  readonly url: string
  /** How often somebody came. */
  readonly arrivals: number
  /** What is sent either way vanishes, and so does what comes anew; nothing is closed. */
  swallow(): void
  /** Everybody is let in and closed at once. */
  turnAway(): void
  /** Everything passes again, over new connections. What was swallowed stays so. */
  heal(): void
}

/** After `most` have come, all others wait for ever, as at a pooler that has no connection left. */
export async function openNetwork(database_url: string, most = Number.POSITIVE_INFINITY): Promise<Network> {
  const url = new URL(database_url)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const target = folder ? { path: join(folder, `.s.PGSQL.${port}`) } : { host: url.hostname, port }
  const sockets = new Set<Socket>()
  let mode: 'pass' | 'swallow' | 'turn_away' = 'pass'
  let arrivals = 0
  const keep = (socket: Socket) =>
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  const server = createServer(near => {
    arrivals++
    keep(near)
    if (mode === 'turn_away') return void near.destroy()
    if (mode === 'swallow' || arrivals > most) return void near.resume()
    splice(near, dial(target))
  })
  const splice = (near: Socket, far: Socket) => {
    keep(far)
    let isLost = false
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', chunk => {
        isLost ||= mode === 'swallow'
        if (!isLost) to.write(chunk)
      })
      from.on('close', () => (isLost ? undefined : to.destroy()))
    }
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    get arrivals() {
      return arrivals
    },
    swallow() {
      mode = 'swallow'
    },
    turnAway() {
      mode = 'turn_away'
      for (const socket of sockets) socket.destroy()
    },
    heal() {
      mode = 'pass'
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
