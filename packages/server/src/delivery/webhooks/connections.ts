import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'

/** A connection, which is made when it is first used, and again when the receiver has closed it. */
export interface Line {
  readonly client: Client
  socket: Socket | null
}

interface Given {
  readonly origin: string
  readonly line: Line
}

interface Idle {
  readonly line: Line
  readonly since: number
}

/** The sender has a time limit of its own for the whole of an attempt. */
const settings = { headersTimeout: 0, bodyTimeout: 0 }

/**
 * Connections to receivers, each lent to one POST at a time. How many there are is limited by who sends, so nothing waits
 * here; a pool that lets requests wait costs a quarter of a POST.
 */
export class Connections implements AsyncDisposable {
  readonly #connect: buildConnector.connector
  readonly #longestIdle: number
  readonly #idle = new Map<string, Idle[]>()
  #given: Given[] = []
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(connect: buildConnector.connector, longestIdle = 10_000) {
    this.#connect = connect
    this.#longestIdle = longestIdle
  }

  take(origin: string): Line {
    return this.#idle.get(origin)?.pop()?.line ?? this.#open(origin)
  }

  #open(origin: string): Line {
    const connect: buildConnector.connector = (options, done) =>
      this.#connect(options, (...made) => {
        line.socket = made[1]
        done(...made)
      })
    const line: Line = { client: new Client(origin, { connect, ...settings }), socket: null }
    return line
  }

  /**
   * What was lent can be used again; who broke it destroys it instead. It is lent again a turn later at the earliest: a
   * receiver that closes it without having said so does that right after its answer.
   */
  give(origin: string, line: Line): void {
    this.#given.push({ origin, line })
    if (this.#given.length === 1) setImmediate(() => this.#takeBack())
  }

  #takeBack(): void {
    const given = this.#given
    this.#given = []
    for (const { origin, line } of given) this.#keep(origin, line)
  }

  #keep(origin: string, line: Line): void {
    // A receiver that answers without reading would let us gather what it leaves unread.
    if (this.#isClosed || line.socket?.writableLength) return void line.client.destroy()
    const idle = { line, since: performance.now() }
    const others = this.#idle.get(origin)
    if (others) others.push(idle)
    else this.#idle.set(origin, [idle])
    this.#timer ??= this.#sweepLater()
  }

  #sweepLater(): NodeJS.Timeout {
    return setTimeout(() => this.#sweep(), this.#longestIdle).unref()
  }

  #sweep(): void {
    const before = performance.now() - this.#longestIdle
    for (const [origin, all] of this.#idle) {
      // The last to be given is the first to be taken, so those at the beginning have been idle longest.
      const old = all.findIndex(({ since }) => since > before)
      for (const { line } of all.splice(0, old === -1 ? all.length : old)) void line.client.destroy()
      if (all.length === 0) this.#idle.delete(origin)
    }
    this.#timer = this.#idle.size > 0 ? this.#sweepLater() : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map(({ line }) => line.client.destroy()))
  }
}
