import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'

const letter = (text: string) => text.charCodeAt(0)
const [sync, query, ready, idle] = ['S', 'Q', 'Z', 'I'].map(letter)

/** A pooler in front of PostgreSQL that assigns each transaction a different connection, as PgBouncer may. */
export async function openPooler(database_url: string): Promise<AsyncDisposable & { readonly url: string }> {
  const url = new URL(database_url)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const target = folder ? { path: join(folder, `.s.PGSQL.${port}`) } : { host: url.hostname, port }
  const idlers: Backend[] = []
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => {}))
  const server = createServer(near => {
    keep(near)
    const far = dial(target)
    keep(far)
    greet(near, far, () => serve(near, idlers, new Backend(far)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url.searchParams.delete('host')
  url.searchParams.set('sslmode', 'disable')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Each client signs in over its own connection, up to the first ReadyForQuery. */
function greet(near: Socket, far: Socket, onReady: () => void): void {
  const forward = (chunk: Buffer) => far.write(chunk)
  near.on('data', forward)
  const messages = cut((type, message) => {
    near.write(message)
    if (type !== ready) return
    near.off('data', forward)
    far.off('data', messages)
    onReady()
  })
  far.on('data', messages)
}

class Backend {
  readonly socket: Socket
  onMessage: ((type: number, message: Buffer) => void) | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.on(
      'data',
      cut((type, message) => this.onMessage?.(type, message)),
    )
  }
}

/** Takes any idle connection when the client sends, and releases it when no transaction is open on it. */
function serve(near: Socket, idlers: Backend[], own: Backend): void {
  idlers.push(own)
  let backend: Backend | undefined
  const waiting: Buffer[] = []
  const release = (used: Backend) => {
    idlers.push(used)
    backend = undefined
    flush()
  }
  const take = () => {
    const taken = idlers.pop()
    if (taken)
      taken.onMessage = (type, message) => {
        near.write(message)
        if (type === ready && message[5] === idle) release(taken)
      }
    return taken
  }
  const flush = () => {
    for (let left = waiting.length; left > 0; left--) {
      backend ??= take()
      if (!backend) return
      const message = waiting.shift() as Buffer
      backend.socket.write(message)
      if (message[0] === sync || message[0] === query) return
    }
  }
  near.on(
    'data',
    cut((_type, message) => {
      waiting.push(message)
      flush()
    }),
  )
}

function cut(take: (type: number, message: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return chunk => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
      const end = 1 + held.readUInt32BE(1)
      const message = held.subarray(0, end)
      held = held.subarray(end)
      take(message[0] as number, message)
    }
  }
}
