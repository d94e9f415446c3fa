import type { Connection } from './connection.ts'
import type { Statement } from './exchange.ts'
import type { ConnectionPool } from './pool.ts'
import type { Query } from './query.ts'
import { PostgresError } from './wire/errors.ts'
import type { Shapes } from './wire/shapes.ts'

/**
 * Runs `work` between BEGIN and COMMIT on a leased connection. BEGIN is sent with the first statement. When
 * the connection is lost, the transaction fails at once, and so does every later query of `work`. If any
 * statement fails, the transaction is rolled back and the caller gets that error, even if `work` catches it.
 */
export async function runTransaction<T>(
  pool: ConnectionPool,
  shapes: Shapes,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const transaction = new Transaction(await pool.lease(), shapes)
  try {
    const result = await Promise.race([work(transaction.query), transaction.lost])
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollBack()
    throw error
  } finally {
    transaction.close()
    pool.release(transaction.connection)
  }
}

class Transaction {
  readonly connection: Connection
  readonly lost: Promise<never>
  readonly #shapes: Shapes
  readonly #waiting: Statement[] = []
  #hasBegun = false
  /** The statement that the others wait for, until it is answered. */
  #held: Statement | undefined
  #isClosed = false
  #failure: Error | undefined
  #rested: (() => void) | undefined

  constructor(connection: Connection, shapes: Shapes) {
    this.connection = connection
    this.#shapes = shapes
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined)
    this.lost = promise
    const { onLost } = connection
    connection.onLost = error => {
      this.#rejectWaiting(error)
      onLost?.(error)
      reject(error)
    }
    this.#restore = () => {
      connection.onLost = onLost
    }
  }

  readonly #restore: () => void

  readonly query: Query = (text, params = [], options) =>
    new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(hasEnded())
      const statement: Statement = {
        shape: this.#shapes.find(text, params),
        params,
        mayPrepare: options?.prepare ?? true,
        place: 'inside',
        begins: false,
        resolve: rows => this.#settle(statement, () => resolve(rows)),
        reject: error => this.#settle(statement, () => reject(error), error),
      }
      this.#waiting.push(statement)
      this.#pump()
    })

  /**
   * Sends the queued statements in order. The rest waits while a statement first needs its parameter types,
   * or begins the transaction.
   */
  #pump(): void {
    while (!this.#held && this.#waiting.length > 0) {
      const statement = this.#waiting.shift()
      if (!statement) break
      if (!this.#hasBegun || statement.shape.types === undefined) this.#held = statement
      statement.begins = !this.#hasBegun
      if (this.connection.send(statement)) this.#hasBegun = true
    }
    if (!this.#held) this.#rested?.()
  }

  /** Earlier statements may be answered while one is held. It stays so: it is still to be sent in full. */
  #settle(statement: Statement, tell: () => void, error?: Error): void {
    this.#failure ??= error
    if (this.#held === statement) this.#held = undefined
    tell()
    this.#pump()
  }

  /** Waits until every statement is sent: after COMMIT or ROLLBACK it would run outside the transaction. */
  async #rest(): Promise<void> {
    if (this.#held) await new Promise<void>(resolve => (this.#rested = resolve))
  }

  #rejectWaiting(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  async commit(): Promise<void> {
    this.#isClosed = true
    await this.#rest()
    if (this.#failure) throw this.#failure
    if (this.#hasBegun && (await this.#end('COMMIT')) !== 'COMMIT')
      throw this.#failure ?? new PostgresError(rolledBack)
  }

  /** Never throws: if ROLLBACK fails, the connection is lost and PostgreSQL rolls back by itself. */
  async rollBack(): Promise<void> {
    this.#isClosed = true
    this.#rejectWaiting(hasEnded())
    await this.#rest()
    if (this.#hasBegun && !this.connection.isLost) await this.#end('ROLLBACK').catch(() => undefined)
  }

  close(): void {
    this.#isClosed = true
    this.#restore()
  }

  #end(text: string): Promise<string> {
    this.#hasBegun = false
    return new Promise((resolve, reject) =>
      this.connection.send({
        shape: this.#shapes.find(text, []),
        params: [],
        mayPrepare: true,
        place: 'outside',
        begins: false,
        resolve: (_rows, tag) => resolve(tag),
        reject,
      }),
    )
  }
}

const rolledBack = new Map([
  ['V', 'ERROR'],
  ['C', '25P02'],
  ['M', 'the transaction was rolled back, since a statement in it had failed'],
])

function hasEnded(): Error {
  return new Error('the transaction has ended: nothing more can be asked in it')
}
