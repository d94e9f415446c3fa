import { Backoff } from './backoff.ts'
import type { Connection } from './connection.ts'
import type { Statement } from './exchange.ts'
import { SilentConnections } from './silent-connections.ts'
import { WaitingLine } from './waiting-line.ts'
import { BusyError, ConnectionError, lostAtOnce } from './wire/errors.ts'

interface PoolLimits {
  /** Maximum number of connections. */
  readonly size: number
  /** Maximum number of statements in flight on one connection. */
  readonly pipeline: number
  /** Maximum length of each queue: statements, and transactions, that wait for a connection. */
  readonly waiting: number
  /** Longest wait for a connection, in milliseconds. */
  readonly acquire_timeout: number
  /** Milliseconds after which PostgreSQL itself cancels a statement. 0 means never. */
  readonly statement_timeout: number
  /** Milliseconds without data, while a response is pending, after which a connection is probed. */
  readonly silence: number
}

interface Lease {
  resolve(connection: Connection): void
  reject(error: Error): void
}

/** Notified when the database becomes unreachable, and when it is back. */
export interface Absence {
  begin(error: Error): void
  end(): void
}

const glance = 50
/**
 * Milliseconds after which the first statement on a connection counts as slow. Nothing more is queued behind
 * it, and reads already queued there are repeated on another connection.
 */
const slow = 50
const longestLife = 3_600_000

/**
 * The connections of the service.
 *
 *   shared ◀──▶ reserved ──▶ leased
 *
 * Statements are pipelined over shared connections. A transaction runs on a connection that it leases
 * exclusively: an idle one, a new one, or a reserved one that first finishes its statements in flight. At
 * least one connection in five is never leased, unless there is only one. While the database is unreachable,
 * every request fails at once, and the pool makes one connection attempt at a time.
 */
export class ConnectionPool {
  readonly #dial: () => Promise<Connection>
  readonly #limits: PoolLimits
  readonly #absence: Absence | undefined
  readonly #backoff = new Backoff()
  readonly #shared = new Set<Connection>()
  readonly #reserved = new Set<Connection>()
  readonly #leased = new Set<Connection>()
  readonly #statements = new WaitingLine<Statement>()
  readonly #leases = new WaitingLine<Lease>()
  readonly #repeated = new WeakSet<Statement>()
  readonly #silent: SilentConnections
  #watch: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #opening = 0
  #pausedUntil = 0
  #glancedAt = performance.now()
  #away: ConnectionError | undefined
  #ended: ConnectionError | undefined

  constructor(dial: () => Promise<Connection>, limits: PoolLimits, absence?: Absence) {
    this.#dial = dial
    this.#limits = limits
    this.#absence = absence
    this.#silent = new SilentConnections(dial, limits, error => this.#failToOpen(error))
  }

  /** The error for every request while the pool is closed or the database is unreachable. */
  get refusal(): ConnectionError | undefined {
    return this.#ended ?? this.#away
  }

  run(statement: Statement): void {
    if (this.refusal) return void statement.reject(this.refusal)
    const connection = this.#statements.length === 0 ? this.#pick() : undefined
    if (connection) connection.send(statement)
    else this.#enqueue(this.#statements, statement)
  }

  /** Leases a connection for one transaction. The caller must release it, unless it was lost. */
  lease(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      if (this.refusal) return reject(this.refusal)
      const idle = this.#leases.length === 0 ? this.#findIdle() : undefined
      if (idle && this.#mayLease()) return resolve(this.#lend(idle))
      this.#enqueue(this.#leases, { resolve, reject })
      this.#reserve()
    })
  }

  release(connection: Connection): void {
    if (!this.#leased.delete(connection)) return
    if (performance.now() - connection.opened_at > longestLife) connection.end()
    else this.#shared.add(connection)
    this.#serve(connection)
  }

  /** Waits up to `patience` milliseconds until nothing is in flight, then closes all connections. */
  async end(patience: number): Promise<void> {
    const deadline = performance.now() + patience
    while (this.#isBusy() && performance.now() < deadline)
      await new Promise(resolve => setTimeout(resolve, 10))
    this.#ended = new ConnectionError(
      'CONNECTION_ENDED',
      'the service has closed its connections to the database',
    )
    clearInterval(this.#watch)
    clearTimeout(this.#retry)
    this.#rejectAll(this.#ended)
    for (const connection of this.#all()) connection.end()
  }

  #all(): Connection[] {
    return [...this.#shared, ...this.#leased]
  }

  #isBusy(): boolean {
    if (this.#away) return false
    const waiting = this.#statements.length + this.#leases.length + this.#leased.size
    return waiting > 0 || [...this.#shared].some(({ load }) => load > 0)
  }

  #enqueue<Who extends { reject(error: Error): void }>(line: WaitingLine<Who>, who: Who): void {
    if (line.length >= this.#limits.waiting)
      return void who.reject(new BusyError(`${line.length} statements wait for the database already`))
    line.join(who)
    this.#watch ??= setInterval(() => this.#glance(), glance).unref()
    this.#grow(this.#statements.length + this.#leases.length)
  }

  /** Returns the one that was released last: PostgreSQL has tables and plans ready there, and not in the others. */
  #findIdle(): Connection | undefined {
    let found: Connection | undefined
    for (const connection of this.#shared)
      if (connection.load === 0 && !this.#reserved.has(connection)) found = connection
    return found
  }

  /** Returns an idle connection, else the least loaded one that is neither reserved nor stuck. */
  #pick(): Connection | undefined {
    const idle = this.#findIdle()
    if (idle) return idle
    this.#grow(1)
    let found: Connection | undefined
    const now = performance.now()
    for (const connection of this.#shared)
      if (connection.load < (found?.load ?? this.#limits.pipeline) && this.#isOpenTo(connection, now))
        found = connection
    return found
  }

  #isOpenTo(connection: Connection, now: number): boolean {
    return connection.age(now) < slow && !this.#reserved.has(connection)
  }

  #mayLease(): boolean {
    const { size } = this.#limits
    const most = size === 1 ? 1 : size - Math.ceil(size / 5)
    return this.#leased.size + this.#reserved.size < most
  }

  #lend(connection: Connection): Connection {
    this.#shared.delete(connection)
    this.#reserved.delete(connection)
    this.#leased.add(connection)
    return connection
  }

  /** Reserves connections for waiting leases. Keeps one open to statements, unless it is the only one. */
  #reserve(): void {
    while (this.#reserved.size < this.#leases.length && this.#mayLease()) {
      const free = [...this.#shared].filter(connection => !this.#reserved.has(connection))
      if (free.length === 0 || (free.length === 1 && this.#shared.size + this.#leased.size > 1)) return
      this.#reserved.add(
        free.reduce((least, connection) => (connection.load < least.load ? connection : least)),
      )
    }
  }

  /** Assigns a connection with spare capacity to the lease or the statements that have waited longest. */
  #serve(connection: Connection): void {
    this.#absence?.end()
    if (connection.isLost) return void this.#grow(this.#statements.length + this.#leases.length)
    if (this.#leases.length > 0 && this.#isForLease(connection)) {
      this.#reserved.delete(connection)
      if (this.#mayLease()) return void this.#leases.next()?.resolve(this.#lend(connection))
    }
    if (this.#leases.length === 0 && this.#reserved.size > 0) this.#reserved.clear()
    if (this.#leased.has(connection) || this.#reserved.has(connection)) return
    // Sends two statements per response, so that the pipelines of all connections fill evenly.
    for (
      let left = 2;
      left > 0 && connection.load < this.#limits.pipeline && this.#statements.length > 0;
      left--
    )
      connection.send(this.#statements.next() as Statement)
    if (this.#leases.length > 0) this.#reserve()
  }

  #isForLease(connection: Connection): boolean {
    if (connection.load > 0 || !this.#shared.has(connection)) return false
    return this.#reserved.has(connection) || this.#leases.since < this.#statements.since
  }

  /** Opens as many connections as are needed and allowed. */
  #grow(needed: number): void {
    if (this.refusal || performance.now() < this.#pausedUntil) return
    while (
      this.#opening < needed &&
      this.#shared.size + this.#leased.size + this.#opening < this.#limits.size
    )
      void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      this.#admit(await this.#dial())
    } catch (error) {
      this.#failToOpen(error as ConnectionError)
    } finally {
      this.#opening--
    }
  }

  #admit(connection: Connection): void {
    if (connection.isLost) throw lostAtOnce()
    if (this.#ended || this.#shared.size + this.#leased.size >= this.#limits.size)
      return void connection.end()
    this.#away = undefined
    this.#shared.add(connection)
    this.#watch ??= setInterval(() => this.#glance(), glance).unref()
    connection.onReady = () => {
      if (!connection.isProven) this.#backoff.reset()
      connection.isProven = true
      this.#serve(connection)
    }
    connection.onLost = error => this.#drop(connection, error)
    for (let left = this.#limits.pipeline; left > 0 && this.#isWanted(connection); left--)
      this.#serve(connection)
    this.#absence?.end()
  }

  #isWanted(connection: Connection): boolean {
    return this.#shared.has(connection) && this.#statements.length + this.#leases.length > 0
  }

  #drop(connection: Connection, error: ConnectionError): void {
    this.#shared.delete(connection)
    this.#reserved.delete(connection)
    this.#leased.delete(connection)
    if (this.refusal) return
    const isOnly = this.#shared.size + this.#leased.size === 0
    // A connection that breaks before it completed a statement counts as a failure to connect. Otherwise the
    // pool would reconnect in a loop without a pause.
    if (isOnly && !connection.isProven) return void this.#leave(error)
    this.#grow(this.#statements.length + this.#leases.length)
  }

  #failToOpen(error: ConnectionError): void {
    if (this.refusal) return
    if (this.#shared.size + this.#leased.size === 0) return void this.#leave(error)
    const pause = this.#backoff.next()
    this.#pausedUntil = performance.now() + pause
    setTimeout(() => this.#grow(this.#statements.length + this.#leases.length), pause + 1).unref()
  }

  #leave(error: ConnectionError): void {
    if (this.refusal) return
    this.#away = error
    this.#absence?.begin(error)
    this.#rejectAll(error)
    this.#comeBack()
  }

  #comeBack(): void {
    this.#retry = setTimeout(async () => {
      try {
        this.#admit(await this.#dial())
      } catch (error) {
        if (!this.#away || this.#ended) return
        this.#away = error as ConnectionError
        this.#comeBack()
      }
    }, this.#backoff.next())
  }

  #rejectAll(error: Error): void {
    for (const who of this.#statements.leaving()) who.reject(error)
    for (const who of this.#leases.leaving()) who.reject(error)
    this.#reserved.clear()
  }

  /** Periodic check: rejects requests that have waited too long, and probes silent connections. */
  #glance(): void {
    const now = performance.now()
    const late = now - this.#glancedAt - glance
    this.#glancedAt = now
    if (late > 250) for (const connection of this.#all()) connection.excuse(late)
    const { acquire_timeout } = this.#limits
    for (const line of [this.#statements, this.#leases])
      for (const who of line.leaving(now - acquire_timeout))
        who.reject(new BusyError(`no connection to the database was free for ${acquire_timeout} ms`))
    this.#freeReads(now)
    this.#silent.look(this.#all(), now)
  }

  /** Repeats reads that wait behind a slow statement on another connection. The first response wins. */
  #freeReads(now: number): void {
    for (const connection of this.#shared)
      if (connection.load > 1 && connection.age(now) >= slow)
        for (const statement of connection.held_up)
          if (statement.mayRepeat && !this.#repeated.has(statement)) this.#repeat(statement)
  }

  /** The other connection can turn out to be slow, too; then the repetition is repeated, at most once on each connection. */
  #repeat(statement: Statement): void {
    this.#repeated.add(statement)
    const reject = (error: Error) => {
      if (!(error instanceof BusyError)) statement.reject(error)
    }
    this.run({ ...statement, reject })
  }
}
