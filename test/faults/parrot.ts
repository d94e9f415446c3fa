import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect, type Pool } from '@gatehouse-access/server'

/** The messages of PostgreSQL, split after each ReadyForQuery. */
export type Speech = readonly Buffer[]

const [sync, query, ready] = ['S', 'Q', 'Z'].map(letter => letter.charCodeAt(0))

/** Records what PostgreSQL sends over one connection. */
export async function record(database_url: string, ask: (db: Pool) => Promise<unknown>): Promise<Speech> {
  const url = new URL(database_url)
  const path = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port || 5432}`)
  const target = url.searchParams.has('host')
    ? { path }
    : { host: url.hostname, port: Number(url.port || 5432) }
  const chunks: Buffer[] = []
  await using mouth = await serve(near => {
    const far = dial(target).on('error', () => near.destroy())
    near.on('data', chunk => far.write(chunk)).on('close', () => far.destroy())
    far.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      near.write(chunk)
    })
  })
  await using db = connect({ url: mouth.url(database_url) }, 1)
  await ask(db)
  return cutAt(ready as number, Buffer.concat(chunks))
}

/**
 * Replays the recording to every client: one part at the start, and one for each Sync or Query. Then it stays
 * silent, or disconnects.
 */
export function repeat(speech: Speech, isSilent: boolean): ReturnType<typeof serve> {
  return serve(near => {
    let at = 0
    const say = () => {
      const part = speech[at++]
      if (part) near.write(part)
      else if (!isSilent) near.destroy()
    }
    let heard: Buffer = Buffer.alloc(0)
    near.once('data', () => {
      near.on('data', (chunk: Buffer) => {
        heard = Buffer.concat([heard, chunk])
        for (let end = endOf(heard); end <= heard.length; end = endOf(heard)) {
          if (heard[0] === sync || heard[0] === query) say()
          heard = heard.subarray(end)
        }
      })
      say()
    })
  })
}

async function serve(take: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    take(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url(like: string): string {
      const url = new URL(like)
      url.search = '?sslmode=disable'
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function endOf(data: Buffer): number {
  return data.length < 5 ? Number.POSITIVE_INFINITY : 1 + data.readUInt32BE(1)
}

/** Splits the data after each message of the type. */
function cutAt(type: number, data: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let at = 0; at < data.length; ) {
    const isLast = data[at] === type
    at += endOf(data.subarray(at))
    if (!isLast) continue
    parts.push(data.subarray(start, at))
    start = at
  }
  return parts
}
