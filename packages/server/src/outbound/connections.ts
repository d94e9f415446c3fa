import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'
import { systemTimers, type Timers } from '../flow/timers.ts'
import type { Dial } from './dialer.ts'

/** A connection that opens on first use. */
export interface Line {
  readonly origin: string
  readonly client: Client
  socket: Socket | null
  /** The connection has carried an answer before. */
  is_used: boolean
}

interface Idle {
  readonly line: Line
  readonly since: number
}

/** Disabled: the sender limits the time of the whole attempt. */
const settings = { headersTimeout: 0, bodyTimeout: 0 }
const distrust = 600_000

/**
 * Connections to receivers, each lent to one POST at a time. The sender limits their number, so nothing
 * queues here: a pool with a queue would cost a quarter of a POST.
 */
export class Connections implements AsyncDisposable {
  readonly #dial: Dial
  readonly #longestIdle: number
  readonly #idle = new Map<string, Idle[]>()
  /** Receivers that close after an answer without announcing it, and when each last did. */
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

  /**
   * Returns a line after an answer. Calls `back` when the line is reusable: one event loop turn later, when
   * most closed connections are known.
   */
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
    // A receiver that answers without reading would let unread data accumulate here.
    const is_full = (line.socket?.writableLength ?? 0) > 0
    if (is_full || this.#isClosed || this.#closing.has(line.origin)) return void line.client.destroy()
    const idle = { line, since: this.#timers.elapsed() }
    const others = this.#idle.get(line.origin)
    if (others) others.push(idle)
    else this.#idle.set(line.origin, [idle])
    this.#stopSweeping ??= this.#sweepLater()
  }

  /**
   * Discards a broken line. If it was closed before its second answer, the receiver may have meant to close
   * it after the first, so for a while each POST to it gets a new connection.
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
      // Lines are reused last in, first out, so the first entries have been idle longest.
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
