import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'
import { systemTimers, type Timers } from '../flow/timers.ts'
import type { Dial } from './dialer.ts'

/** A connection, which is made when it is first used. */
export interface Line {
  readonly origin: string
  readonly client: Client
  socket: Socket | null
  /** It has carried an answer before. */
  is_used: boolean
}

interface Idle {
  readonly line: Line
  readonly since: number
}

/** The sender has a time limit of its own for the whole of an attempt. */
const settings = { headersTimeout: 0, bodyTimeout: 0 }
const distrust = 600_000

/**
 * Connections to receivers, each lent to one POST at a time. How many there are is limited by who sends, so nothing waits
 * here; a pool that lets requests wait costs a quarter of a POST.
 */
export class Connections implements AsyncDisposable {
  readonly #dial: Dial
  readonly #longestIdle: number
  readonly #idle = new Map<string, Idle[]>()
  /** Receivers that close after an answer without having said so, and when one last did. */
  readonly #closing = new Map<string, number>()
  #given: { readonly line: Line; readonly back: () => void }[] = []
  readonly #timers: Timers
  #stopSweeping: (() => void) | undefined
  #isClosed = false

  constructor(dial: Dial, timers: Timers = systemTimers, longestIdle = 10_000) {
    this.#timers = timers
    this.#dial = dial
    this.#longestIdle = longestIdle
  }

  take(origin: string, organizationId: string): Line {
    return this.#idle.get(origin)?.pop()?.line ?? this.#open(origin, this.#dial(organizationId))
  }

  #open(origin: string, dial: buildConnector.connector): Line {
    const connect: buildConnector.connector = (options, done) =>
      dial(options, (...made) => {
        line.socket = made[1]
        done(...made)
      })
    const client = new Client(origin, { connect, ...settings })
    const line: Line = { origin, client, socket: null, is_used: false }
    return line
  }

  /** The line carried an answer. Calls `back` when it can be taken again: a turn later, by when most that are closed are known to be. */
  give(line: Line, back: () => void): void {
    this.#given.push({ line, back })
    if (this.#given.length === 1) setImmediate(() => this.#takeBack())
  }

  #takeBack(): void {
    const given = this.#given
    this.#given = []
    for (const { line, back } of given) {
      this.#keep(line)
      back()
    }
  }

  #keep(line: Line): void {
    line.is_used = true
    // A receiver that answers without reading would let us gather what it leaves unread.
    const is_full = (line.socket?.writableLength ?? 0) > 0
    if (is_full || this.#isClosed || this.#closing.has(line.origin)) return void line.client.destroy()
    const idle = { line, since: this.#timers.elapsed() }
    const others = this.#idle.get(line.origin)
    if (others) others.push(idle)
    else this.#idle.set(line.origin, [idle])
    this.#stopSweeping ??= this.#sweepLater()
  }

  /**
   * The line broke. If it was closed before it carried its second answer, the receiver may have meant to close it after the
   * first: for a while each POST to it gets a new one.
   */
  drop(line: Line, error: Error, wasClosed: boolean): void {
    if (wasClosed && line.is_used) {
      this.#closing.set(line.origin, this.#timers.elapsed())
      this.#stopSweeping ??= this.#sweepLater()
    }
    void line.client.destroy(error)
  }

  #sweepLater(): () => void {
    return this.#timers.later(this.#longestIdle, () => this.#sweep())
  }

  #sweep(): void {
    const now = this.#timers.elapsed()
    for (const [origin, all] of this.#idle) {
      // The last to be given is the first to be taken, so those at the beginning have been idle longest.
      const old = all.findIndex(({ since }) => since > now - this.#longestIdle)
      for (const { line } of all.splice(0, old === -1 ? all.length : old)) void line.client.destroy()
      if (all.length === 0) this.#idle.delete(origin)
    }
    for (const [origin, at] of this.#closing) if (at < now - distrust) this.#closing.delete(origin)
    this.#stopSweeping = this.#idle.size + this.#closing.size > 0 ? this.#sweepLater() : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#stopSweeping?.()
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map(({ line }) => line.client.destroy()))
  }
}
