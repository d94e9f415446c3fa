import type { Server as PlainServer } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import type { Certificates } from '../certificates/certificates.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { codeOf, messageOf } from '../flow/failures.ts'
import { guideChallenges } from '../http/kit/challenge-guide.ts'
import { ConnectionGate } from '../http/kit/connection-gate.ts'
import { canShare, requireFreePort, WideListener } from '../http/kit/wide-listener.ts'
import { createPlainServer } from '../http/plain-port.ts'

/** The ports of the service. Connections wait between `bind` and `open`. */
export class Entrance implements AsyncDisposable {
  readonly #app: FastifyInstance
  readonly #config: Config
  readonly #wide: WideListener
  readonly #plain: PlainServer | undefined
  readonly #gates: readonly ConnectionGate[]
  #isOpen = false

  constructor(app: FastifyInstance, config: Config, certificates: Certificates | undefined) {
    this.#app = app
    this.#config = config
    this.#wide = new WideListener(app.server)
    const guide = certificates && guideChallenges(certificates.challenges)
    this.#plain =
      certificates && config.tls?.http_port !== undefined
        ? createPlainServer(config.public_url, certificates.challenges)
        : undefined
    this.#gates = [app.server, ...(this.#plain ? [this.#plain] : [])].map(
      server => new ConnectionGate(server, server === app.server ? guide : undefined),
    )
    certificates?.serve(app.server as unknown as TlsServer)
  }

  /** Whether a port can only be bound by root. */
  get is_low(): boolean {
    return [this.#config.port, this.#config.tls?.http_port ?? 0].some(port => port > 0 && port < 1024)
  }

  async bind(): Promise<void> {
    const { host, port, tls } = this.#config
    await explained(host, port, 'PORT', async () => {
      if (canShare) await requireFreePort(host, port)
      await this.#app.listen({ host, port, reusePort: canShare } as { host: string; port: number })
      if (canShare) await this.#wide.open()
    })
    const { http_port } = tls ?? {}
    const plain = this.#plain
    if (plain && http_port)
      await explained(host, http_port, 'GATEHOUSE_HTTP_PORT', () => listen(plain, host, http_port))
  }

  open(): void {
    this.#isOpen = true
    for (const gate of this.#gates) gate.open()
  }

  /**
   * Closes connections as they become idle. Otherwise a connection whose request ends during shutdown would
   * stay open for the client's next request. At the deadline, closes those still without a response because the
   * client does not read or the database does not respond.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const { server } = this.#app
    this.#plain?.close().closeAllConnections()
    const timer = setInterval(() => server.closeIdleConnections(), 50)
    const deadline = setTimeout(() => this.#closeAll(), this.#isOpen ? longestDrain : 0)
    try {
      await Promise.all([this.#app.close(), this.#wide[Symbol.asyncDispose]()])
    } finally {
      clearInterval(timer)
      clearTimeout(deadline)
    }
  }

  #closeAll(): void {
    this.#app.server.closeAllConnections()
    for (const gate of this.#gates) gate.closeAll()
  }
}

/** Milliseconds that running work gets to finish when the service stops. */
export const longestDrain = 5000

function listen(server: PlainServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function explained(
  host: string,
  port: number,
  setting: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (cause) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is taken by another process; stop it or set ${setting} to another number.`,
      EACCES: `This user is not allowed to listen on port ${port}; set ${setting} to a number above 1023.`,
      EADDRNOTAVAIL: `This machine has no address ${host}; set HOST to one of its own.`,
    }
    throw new StartError(
      reasons[codeOf(cause) ?? ''] ?? `Cannot listen on ${host}:${port}: ${messageOf(cause)}.`,
      { cause },
    )
  }
}
