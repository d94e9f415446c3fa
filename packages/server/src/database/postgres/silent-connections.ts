import { codeOf } from '../../flow/failures.ts'
import type { Connection } from './connection.ts'
import { findDead } from './probe.ts'
import { ConnectionError } from './wire/errors.ts'

interface SilenceLimits {
  /** Milliseconds after which PostgreSQL itself cancels a statement. 0 means never. */
  readonly statement_timeout: number
  /** Milliseconds without data, while a response is pending, after which a connection is probed. */
  readonly silence: number
}

/** Milliseconds that PostgreSQL may exceed the statement timeout. */
const grace = 10_000

/** Loses the connections of a pool over which the database does not answer any more. */
export class SilentConnections {
  readonly #dial: () => Promise<Connection>
  readonly #limits: SilenceLimits
  readonly #onRefused: (error: ConnectionError) => void
  #isProbing = false

  /** `onRefused` is told if the database cannot be reached over another connection either. */
  constructor(
    dial: () => Promise<Connection>,
    limits: SilenceLimits,
    onRefused: (error: ConnectionError) => void,
  ) {
    this.#dial = dial
    this.#limits = limits
    this.#onRefused = onRefused
  }

  look(connections: readonly Connection[], now: number): void {
    this.#endOverdue(connections, now)
    const silent = connections.filter(connection => connection.silence(now) > this.#limits.silence)
    if (silent.length > 0 && !this.#isProbing) void this.#probe(silent)
  }

  /** PostgreSQL itself cancels a statement in time. One that it did not cancel is not waited for. */
  #endOverdue(connections: readonly Connection[], now: number): void {
    const { statement_timeout } = this.#limits
    if (statement_timeout === 0) return
    for (const connection of connections)
      if (connection.age(now) > statement_timeout + grace) connection.lose(noAnswer())
  }

  /**
   * Probes over a new connection. A connect timeout is retried once, because the machine may just be busy. A
   * second timeout counts as a refusal.
   */
  async #probe(silent: readonly Connection[]): Promise<void> {
    this.#isProbing = true
    const begun = performance.now()
    const since = new Map(silent.map(connection => [connection, connection.silence(begun)]))
    try {
      const probe = await this.#dial().catch(error => (isLate(error) ? this.#dial() : Promise.reject(error)))
      const dead = await findDead(probe, silent, this.#limits.silence).finally(() => probe.end())
      this.#loseSilent(dead, since)
    } catch (error) {
      if (codeOf(error) !== tooMany) this.#loseSilent(silent, since, error as ConnectionError)
    } finally {
      setTimeout(() => {
        this.#isProbing = false
      }, this.#limits.silence).unref()
    }
  }

  /** Drops connections, except those that have received data since the probe began. */
  #loseSilent(
    connections: readonly Connection[],
    since: Map<Connection, number>,
    cause?: ConnectionError,
  ): void {
    const now = performance.now()
    for (const connection of connections)
      if (connection.silence(now) > (since.get(connection) ?? 0)) connection.lose(noAnswer(cause))
    if (cause) this.#onRefused(cause)
  }
}

/** Too many connections: the server is running, even though it refuses this connection. */
const tooMany = '53300'

function noAnswer(cause?: Error): ConnectionError {
  return new ConnectionError('NO_ANSWER', 'the database does not answer any more', cause)
}

function isLate(error: unknown): boolean {
  return codeOf(error) === 'CONNECT_TIMEOUT'
}
