import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Sockets that accept connections beside the first one: a thousand who come at once are accepted within eight turns. */
const count = 127

/**
 * Accepts many connections in one turn of the event loop. Node accepts one for each socket that listens: while much is
 * served, turns are long, and a crowd that connects at once would keep everybody else from connecting for seconds.
 * So several sockets listen on the port, among which the kernel divides who connects.
 */
export class WideListener implements AsyncDisposable {
  readonly #server: HttpServer
  readonly #others: Server[] = []

  constructor(server: HttpServer) {
    this.#server = server
  }

  /** Listens beside the server, which listens with `reusePort` by now. */
  async open(): Promise<void> {
    const { address: host, port } = this.#server.address() as AddressInfo
    for (let index = 0; index < count; index++) {
      const other = createServer({ allowHalfOpen: true, noDelay: true })
      other.on('connection', socket => this.#server.emit('connection', socket))
      other.listen({ host, port, reusePort: true })
      await once(other, 'listening')
      this.#others.push(other)
    }
  }

  /** Accepts nobody any more, and ends when the last of those who were accepted is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#others.map(other => new Promise(resolve => other.close(resolve))))
  }
}

/** Fails where another process has the port: sockets that share it would let two services be asked in turn. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const trial = createServer().listen({ host, port })
  await once(trial, 'listening')
  await new Promise(resolve => trial.close(resolve))
}

/** Other systems than Linux do not divide connections among sockets. */
export const canShare = process.platform === 'linux'
