import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'

/** A TCP proxy to the database that can fail as networks do. */
export interface Network extends AsyncDisposable {
  /** The URL of the database through this proxy. */
  readonly url: string
  /** The number of connections accepted so far. */
  readonly arrivals: number
  /** Drops all data in both directions, and on new connections, without closing anything. */
  swallow(): void
  /** Closes all connections, and accepts and closes new ones immediately. */
  turnAway(): void
  /** Keeps new connections waiting for so many milliseconds before it passes data. */
  delay(milliseconds: number): void
  /** Passes data again, over new connections. Connections that lost data stay silent. */
  heal(): void
}

/** After `most` connections, all others hang forever, as at a pooler that has no connection left. */
export async function openNetwork(database_url: string, most = Number.POSITIVE_INFINITY): Promise<Network> {
  const url = new URL(database_url)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const target = folder ? { path: join(folder, `.s.PGSQL.${port}`) } : { host: url.hostname, port }
  const sockets = new Set<Socket>()
  let mode: 'pass' | 'swallow' | 'turn_away' = 'pass'
  let arrivals = 0
  let wait = 0
  const keep = (socket: Socket) =>
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  const server = createServer(near => {
    arrivals++
    keep(near)
    if (mode === 'turn_away') return void near.destroy()
    if (mode === 'swallow' || arrivals > most) return void near.resume()
    setTimeout(() => splice(near, dial(target)), wait)
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
    delay(milliseconds) {
      wait = milliseconds
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
