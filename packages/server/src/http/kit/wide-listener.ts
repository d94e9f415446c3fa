import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/** Listening sockets beside the first: a thousand simultaneous connections are accepted in eight turns. */
const count = 127

/**
 * Accepts many connections in one turn of the event loop. Node accepts one connection per listening socket
 * and turn. Under load, turns are long, so a burst of connections would block all others for seconds. Several
 * sockets therefore listen on the same port, and the kernel distributes connections among them.
 */
export class WideListener implements AsyncDisposable {
  readonly #server: HttpServer
  readonly #others: Server[] = []

  constructor(server: HttpServer) {
    this.#server = server
  }

  /** Opens the additional sockets. The server must already listen with `reusePort`. */
  async open(): Promise<void> {
    const { address: host, port } = this.#server.address() as AddressInfo
    // As Node's own servers do: HTTP ends its side of a socket itself, TLS leaves that to the socket.
    const allowHalfOpen = !(this.#server instanceof TlsServer)
    for (let index = 0; index < count; index++) {
      const other = createServer({ allowHalfOpen, noDelay: true })
      other.on('connection', socket => this.#server.emit('connection', socket))
      other.listen({ host, port, reusePort: true })
      await once(other, 'listening')
      this.#others.push(other)
    }
  }

  /** Stops accepting, and waits until the last accepted connection has closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#others.map(other => new Promise(resolve => other.close(resolve))))
  }
}

/** Throws if another process uses the port, since the kernel would split requests between two services. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const trial = createServer().listen({ host, port })
  await once(trial, 'listening')
  await new Promise(resolve => trial.close(resolve))
}

/** Only Linux distributes connections among sockets that share a port. */
export const canShare = process.platform === 'linux'
