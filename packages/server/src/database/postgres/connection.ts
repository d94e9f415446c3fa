import type { Socket } from 'node:net'
import { isWhole, takePart } from './answer.ts'
import type { Exchange, Statement } from './exchange.ts'
import type { Address } from './login/address.ts'
import { PreparedStatements } from './prepared.ts'
import { sendExchange } from './send.ts'
import { ConnectionError, closed, type PostgresError } from './wire/errors.ts'
import { back, front, states } from './wire/messages.ts'
import { endOfText, readError, readText, type WireReader } from './wire/reader.ts'
import { WireWriter } from './wire/writer.ts'

export interface Opened {
  readonly socket: Socket
  readonly reader: WireReader
  readonly address: Address
}

/** What a server says about itself. */
export interface Standing {
  readonly is_standby: boolean
  readonly is_read_only: boolean
  /** Grows with each promotion. 0 if it was not asked for, or of a standby. */
  readonly timeline: number
  /** Identifies the cluster, if the user may know. Standbys and promoted standbys have the same. */
  readonly cluster: string | null
}

/**
 * One connection to PostgreSQL. Statements are pipelined: each is sent with its own Sync and without waiting
 * for earlier responses, so a failed statement does not affect its neighbors.
 *
 * Invariant: a caller gets its result only after PostgreSQL has reported, for that very statement, the
 * transaction state that the statement had to leave the connection in. A connection that reports another
 * state is destroyed, and everything in flight on it fails. A statement that changes data is never sent again
 * on another connection.
 */
export class Connection {
  /** The pid of the backend. 0 behind a pooler that assigns each transaction another one. */
  pid = 0
  standing: Standing | undefined
  readonly address: Address
  /** Whether it has completed a statement. */
  isProven = false
  readonly opened_at = performance.now()
  readonly prepared: PreparedStatements
  readonly out = new WireWriter()
  /** Called after each completed response. */
  onReady: (() => void) | undefined
  onLost: ((error: ConnectionError) => void) | undefined
  onNotification: ((channel: string, payload: string) => void) | undefined
  /** Called when PostgreSQL becomes read-only: a standby, or set to read-only. */
  onReadOnly: (() => void) | undefined
  readonly #socket: Socket
  readonly #reader: WireReader
  readonly #awaited: Exchange[] = []
  #heardAt = performance.now()
  /** When the first pending exchange became the first. */
  #firstAt = performance.now()
  #lost: ConnectionError | undefined
  #isDemoted = false
  #flush: NodeJS.Immediate | undefined

  constructor({ socket, reader, address }: Opened, mostPrepared: number) {
    this.address = address
    this.#socket = socket
    this.#reader = reader
    this.prepared = new PreparedStatements(mostPrepared)
    reader.isTrusted = true
    reader.handle = (type, data, start, end) => this.#take(type, data, start, end)
    socket.on('data', chunk => this.#read(chunk as Buffer))
    socket.on('error', error => this.lose(closed(error.message, error)))
    socket.on('close', () => this.lose(closed(this.#lastWords ?? 'it was closed from the other end')))
  }

  /** The error after which the server closed the connection without completing the exchange. */
  get #lastWords(): string | undefined {
    return this.#awaited[0]?.error?.message
  }

  /** The number of statements in flight. */
  get load(): number {
    return this.#awaited.length
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /** Milliseconds since the server was last heard from while a response is pending. */
  silence(now: number): number {
    return this.#awaited.length === 0 ? 0 : now - this.#heardAt
  }

  /** Milliseconds that the first statement in flight has been running. */
  age(now: number): number {
    return this.#awaited.length === 0 ? 0 : now - this.#firstAt
  }

  /** The statements queued behind the first. */
  get held_up(): Statement[] {
    return this.#awaited.slice(1).map(({ statement }) => statement)
  }

  /** Discounts time during which this process was stalled, because it says nothing about the database. */
  excuse(milliseconds: number): void {
    this.#heardAt += milliseconds
    this.#firstAt += milliseconds
  }

  /** Returns whether the statement was sent. Rejects, and does not send, what cannot be serialized. */
  send(statement: Statement): boolean {
    const written = this.out.length
    try {
      if (this.#lost) throw this.#lost
      const exchange = sendExchange(this, statement)
      if (this.#awaited.push(exchange) === 1) this.#firstAt = this.#heardAt = performance.now()
      this.#flush ??= setImmediate(() => this.#write())
      return true
    } catch (error) {
      this.out.rewind(written)
      statement.reject(error as Error)
      return false
    }
  }

  /** Stops reading what PostgreSQL sends, until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Sends part of a COPY. Resolves when there is room for more, or the connection is lost. */
  async sendCopy(bytes: Uint8Array): Promise<void> {
    this.out.begin(front.copyData)
    this.out.bytes(bytes)
    this.out.finish()
    if (this.#socket.write(this.out.take()) || this.#lost) return
    await new Promise<void>(resolve => {
      const go = () => {
        this.#socket.off('drain', go).off('close', go)
        resolve()
      }
      this.#socket.on('drain', go).on('close', go)
    })
  }

  /** Ends a COPY. With a reason, PostgreSQL rejects it instead. */
  endCopy(reason?: string): void {
    this.out.begin(reason === undefined ? front.copyDone : front.copyFail)
    if (reason !== undefined) this.out.text(reason)
    this.out.finish()
    this.#write()
  }

  /** Closes the connection cleanly. Statements in flight fail. */
  end(): void {
    if (this.#lost) return
    this.out.plain(front.terminate)
    this.#write()
    this.#socket.unref().destroySoon()
    this.#drop(
      new ConnectionError('CONNECTION_ENDED', 'the service has closed its connections to the database'),
    )
  }

  lose(error: ConnectionError): void {
    if (this.#lost) return
    this.#socket.destroy()
    this.#drop(error)
  }

  #drop(error: ConnectionError): void {
    this.#lost = error
    this.#reader.stop()
    clearImmediate(this.#flush)
    for (const { statement } of this.#awaited.splice(0)) statement.reject(error)
    this.onLost?.(error)
  }

  #write(): void {
    this.#flush = undefined
    if (this.out.length > 0) this.#socket.write(this.out.take())
  }

  #read(chunk: Buffer): void {
    this.#heardAt = performance.now()
    try {
      this.#reader.push(chunk)
    } catch (error) {
      const isOurs = error instanceof ConnectionError
      this.lose(closed(isOurs ? error.message : 'what it said was not understood', error))
    }
  }

  #take(type: number, data: Buffer, start: number, end: number): void {
    const exchange = this.#awaited[0]
    if (exchange && takePart(exchange, type, data, start, end)) return
    switch (type) {
      case back.ready:
        return void this.#finish(data, start, end)
      case back.notice:
        return void this.#heed(readError(data, start, end))
      case back.error:
        return void this.#fail(exchange, readError(data, start, end))
      case back.notification:
        return void this.#notify(data, start, end)
      case back.parameterStatus:
        return void this.#note(data, start, end)
      default:
        this.lose(closed(`it sent a message of type ${type}, which nobody asked for`))
    }
  }

  /**
   * PostgreSQL reports a commit as done whose wait for the standby was canceled, and only warns that the next
   * primary may not have it. Such a commit must not be acknowledged.
   */
  #heed({ routine, message }: PostgresError): void {
    if (routine === 'SyncRepWaitForLSN') this.lose(closed(message))
  }

  /** A fatal error ends the session, so it is not a response to a statement. */
  #fail(exchange: Exchange | undefined, error: PostgresError): void {
    const isEnd = error.severity === 'FATAL' || error.severity === 'PANIC'
    if (isEnd || !exchange) return void this.lose(closed(error.message, error))
    exchange.error ??= error
  }

  #finish(data: Buffer, start: number, end: number): void {
    const exchange = this.#awaited[0]
    if (end !== start + 1 || !exchange || data[start] !== expectedState(exchange))
      return void this.lose(closed('its transaction is not where it should be'))
    if (!isWhole(exchange)) return void this.lose(closed('it left out an answer'))
    this.#awaited.shift()
    this.#firstAt = this.#heardAt
    settle(this, exchange)
    if (this.#isDemoted) this.onReadOnly?.()
    if (!this.#lost) this.onReady?.()
  }

  #notify(data: Buffer, start: number, end: number): void {
    const zero = endOfText(data, start + 4, end)
    this.onNotification?.(data.toString('utf8', start + 4, zero), readText(data, zero + 1, end))
  }

  #note(data: Buffer, start: number, end: number): void {
    const zero = endOfText(data, start, end)
    const name = data.toString('utf8', start, zero)
    if (name !== 'in_hot_standby' && name !== 'default_transaction_read_only') return
    // What is in flight may have succeeded, so its caller is told first.
    this.#isDemoted = readText(data, zero + 1, end) === 'on'
    if (this.#isDemoted && this.#awaited.length === 0) this.onReadOnly?.()
  }
}

function expectedState({ statement, error }: Exchange): number {
  if (statement.place === 'outside') return states.idle
  return error ? states.failed : states.inside
}

/** Whether a prepared statement no longer matches the tables. PostgreSQL did not run it. */
function isOutdated({ prepared, error }: Exchange): boolean {
  return prepared !== undefined && error?.routine === 'RevalidateCachedQuery'
}

function settle(connection: Connection, exchange: Exchange): void {
  const { statement, error } = exchange
  if (error) return void refuse(connection, exchange, error)
  if (exchange.isInquiry) return void connection.send({ ...statement, begins: false })
  statement.resolve(exchange.rows, exchange.tag)
}

function refuse(connection: Connection, exchange: Exchange, error: PostgresError): void {
  const { statement, prepared } = exchange
  if (mayBeOfTypes.test(error.code)) forgetTypes(statement)
  if (prepared && (!prepared.isReady || isOutdated(exchange))) connection.prepared.forget(statement.shape)
  if (isOutdated(exchange) && statement.place === 'outside')
    return void repeatUnprepared(connection, statement)
  const reason = unusable[error.code]
  statement.reject(reason ? closed(reason, error) : error)
  if (error.code === readOnly) connection.onReadOnly?.()
  if (reason) connection.lose(closed(reason, error))
}

/** An unprepared statement cannot be outdated, so there is at most one retry. */
function repeatUnprepared(connection: Connection, statement: Statement): void {
  connection.send({ ...statement, mayPrepare: false })
}

const readOnly = '25006'
/** SQLSTATEs after which the connection is unusable. */
const unusable: Record<string, string> = {
  [readOnly]: 'the database takes no writes any more',
  '26000': 'it has forgotten what was prepared on it',
}
/** SQLSTATEs that may mean that tables have changed since the parameter types were read. */
const mayBeOfTypes = /^(0A|22|42)/

function forgetTypes({ shape, params }: Statement): void {
  if (params.length > 0) shape.types = undefined
}
