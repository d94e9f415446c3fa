import { type buildConnector, Client } from 'undici'

interface Idle {
  readonly client: Client
  readonly since: number
}

const settings = {
  pipelining: 1,
  // The sender has a time limit of its own for the whole of an attempt.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 4000,
  keepAliveMaxTimeout: 60_000,
}

/**
 * Connections to receivers, each lent to one POST at a time. How many there are is limited by who sends, so nothing waits
 * here; a pool that lets requests wait costs a quarter of a POST.
 */
export class Connections implements AsyncDisposable {
  readonly #connect: buildConnector.connector
  readonly #idle = new Map<string, Idle[]>()
  readonly #longestIdle: number
  #timer: NodeJS.Timeout | undefined

  constructor(connect: buildConnector.connector, longestIdle = 10_000) {
    this.#connect = connect
    this.#longestIdle = longestIdle
  }

  take(origin: string): Client {
    return (
      this.#idle.get(origin)?.pop()?.client ?? new Client(origin, { connect: this.#connect, ...settings })
    )
  }

  /** What was lent can be used again; who broke it destroys it instead. */
  give(origin: string, client: Client): void {
    const idle = { client, since: performance.now() }
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
      for (const { client } of all.splice(0, old === -1 ? all.length : old)) void client.destroy()
      if (all.length === 0) this.#idle.delete(origin)
    }
    this.#timer = this.#idle.size > 0 ? this.#sweepLater() : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map(({ client }) => client.destroy()))
  }
}
