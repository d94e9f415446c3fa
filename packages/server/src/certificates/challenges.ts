import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import type { Database } from '../database/db.ts'
import { challengeCertificate, challengeProtocol } from './acme/challenge-certificate.ts'
import type { Challenge } from './acme/obtain.ts'
import { listChallenges } from './store.ts'

/** Milliseconds between two looks at the database: strangers can ask for any token. */
const gap = 1000

/** The challenges that an authority may be checking now, whichever process it reaches. */
export class Challenges {
  readonly #db: Database
  #known: readonly Challenge[] = []
  #server: Server | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(db: Database) {
    this.#db = db
  }

  async read(): Promise<void> {
    this.#lookedAt = performance.now()
    this.#known = await listChallenges(this.#db)
    const overTls = this.#known.find(({ kind }) => kind === 'tls-alpn-01')
    this.#server = overTls && serverFor(overTls)
  }

  /** Returns the response to a question over plain HTTP. Looks again in case a notification was lost. */
  async find(token: string): Promise<string | undefined> {
    if (!this.#has(token) && performance.now() - this.#lookedAt > gap) await this.read()
    return this.#has(token)?.key_authorization
  }

  /** Whether connections must be looked at, because one may come from an authority. */
  get are_over_tls(): boolean {
    return this.#server !== undefined
  }

  /** Shows the challenge certificate on a connection, and closes it. */
  answerOverTls(socket: Socket): void {
    if (this.#server) this.#server.emit('connection', socket)
    else socket.destroy()
  }

  #has(token: string): Challenge | undefined {
    return this.#known.find(challenge => challenge.kind === 'http-01' && challenge.token === token)
  }
}

/** Never listens: connections are handed to it. */
function serverFor({ name, key_authorization }: Challenge): Server {
  const server = createServer({
    ...challengeCertificate(name, key_authorization),
    ALPNProtocols: [challengeProtocol],
    handshakeTimeout: 10_000,
  })
  server.on('secureConnection', socket => socket.end())
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return server
}
