import { pause, systemTimers } from '../../flow/timers.ts'
import { Backoff } from './backoff.ts'
import type { Connection } from './connection.ts'
import { ask } from './dial.ts'
import { closed, lostAtOnce } from './wire/errors.ts'

type Receive = (payload: string) => void

/** Milliseconds between two liveness checks, and within which each must be answered. */
const check = 10_000
const patience = 5000

/**
 * One connection for all LISTEN channels. It is opened for the first channel and reopened whenever it is
 * lost. The backoff grows until a connection has passed a liveness check.
 */
export class Listener {
  readonly #dial: () => Promise<Connection>
  readonly #channels = new Map<string, Receive[]>()
  readonly #backoff = new Backoff()
  readonly #end = new AbortController()
  #connection: Promise<Connection> | undefined
  #current: Connection | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(dial: () => Promise<Connection>) {
    this.#dial = dial
  }

  /** Resolves once LISTEN is active on the channel. Waits while the database is unreachable. */
  async listen(channel: string, receive: Receive): Promise<void> {
    const known = this.#channels.get(channel)
    if (known) known.push(receive)
    else this.#channels.set(channel, [receive])
    this.#connection ??= this.#open()
    const connection = await this.#connection
    if (!known && !this.#end.signal.aborted) await ask(connection, listenTo(channel))
  }

  end(): void {
    this.#end.abort()
    clearTimeout(this.#timer)
    this.#current?.end()
  }

  async #open(): Promise<Connection> {
    for (;;) {
      try {
        return await this.#openOnce()
      } catch (error) {
        if (this.#end.signal.aborted) throw error
        await this.#rest()
      }
    }
  }

  async #openOnce(): Promise<Connection> {
    const connection = await this.#dial()
    try {
      this.#end.signal.throwIfAborted()
      await this.#listenOn(connection)
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }

  async #reopen(): Promise<Connection> {
    await this.#rest()
    return this.#open()
  }

  #rest(): Promise<void> {
    return pause(systemTimers, this.#backoff.next(), this.#end.signal)
  }

  async #listenOn(connection: Connection): Promise<void> {
    connection.onNotification = (channel, payload) => {
      for (const receive of this.#channels.get(channel) ?? []) receive(payload)
    }
    for (const channel of this.#channels.keys()) await ask(connection, listenTo(channel))
    this.#end.signal.throwIfAborted()
    if (connection.isLost) throw lostAtOnce()
    this.#current = connection
    connection.onLost = () => this.#lose()
    this.#checkLater(connection)
  }

  #lose(): void {
    clearTimeout(this.#timer)
    if (this.#end.signal.aborted) return
    this.#connection = this.#reopen()
    // It rejects only after `end()`, when nobody waits for it any more.
    this.#connection.catch(() => undefined)
  }

  /**
   * Checks the connection later. A listener has no pending response, so it would otherwise not notice a
   * network path that drops all packets.
   */
  #checkLater(connection: Connection): void {
    this.#timer = setTimeout(async () => {
      const late = setTimeout(() => connection.lose(closed('it does not answer')), patience).unref()
      await ask(connection, 'SELECT 1').catch(() => undefined)
      clearTimeout(late)
      if (connection.isLost) return
      this.#backoff.reset()
      this.#checkLater(connection)
    }, check).unref()
  }
}

function listenTo(channel: string): string {
  return `LISTEN "${channel.replaceAll('"', '""')}"`
}
