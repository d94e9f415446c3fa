import type { Connection } from './postgres/connection.ts'
import { dial } from './postgres/dial.ts'
import type { Place, Statement } from './postgres/exchange.ts'
import { addressOf, type ConnectionOptions } from './postgres/login/address.ts'
import { asQuery, type Database } from './postgres/query.ts'
import type { Servers } from './postgres/servers.ts'
import { Shapes } from './postgres/wire/shapes.ts'

const chunkSize = 256 * 1024
/** Bytes that PostgreSQL may be ahead of the reader of a COPY. */
const mostAhead = 4 * 1024 * 1024
const limits = { connect_timeout: 10_000, statement_timeout: 0, most_prepared: 10 }

/**
 * A connection of its own, for work that a pool must not share or repeat: a backup that is bound to its
 * session, a snapshot that is read for long, a COPY. Nothing reopens it: what is lost is over.
 */
export class Session implements Disposable {
  readonly #connection: Connection
  readonly #shapes = new Shapes()
  #place: Place = 'outside'

  constructor(connection: Connection) {
    this.#connection = connection
  }

  static async open(connection: ConnectionOptions): Promise<Session> {
    return new Session(await dial({ address: addressOf(connection), ...limits }))
  }

  /** Opens a session on the one of several servers that is in use. */
  static async over(servers: Servers): Promise<Session> {
    return new Session(await servers.dial(limits))
  }

  readonly query: Database['query'] = asQuery(
    (text, params = [], options) =>
      new Promise((resolve, reject) =>
        this.#connection.send({
          ...this.#statement(text, params),
          mayPrepare: options?.prepare ?? true,
          resolve,
          reject,
        }),
      ),
  )

  get is_in_transaction(): boolean {
    return this.#place === 'inside'
  }

  /** Runs `work` in a transaction that begins with these words. */
  async transaction<T>(begin: string, work: () => Promise<T>): Promise<T> {
    // PostgreSQL would only warn, and the end of the inner one would end the snapshot of the outer.
    if (this.is_in_transaction) throw new Error('a transaction was begun within another')
    this.#place = 'inside'
    await this.query(begin)
    try {
      const result = await work()
      await this.#end('COMMIT')
      return result
    } catch (error) {
      await this.#end('ROLLBACK').catch(() => undefined)
      throw error
    }
  }

  async #end(text: string): Promise<void> {
    this.#place = 'outside'
    await this.query(text)
  }

  /** Yields what a COPY … TO STDOUT sends, and returns the number of rows. PostgreSQL waits for a slow reader. */
  async *copyOut(text: string): AsyncGenerator<Buffer, number> {
    const held: Buffer[] = []
    let [length, rows, failure] = [0, -1, undefined as Error | undefined]
    let wake = () => {}
    const onData = (bytes: Buffer) => {
      held.push(bytes)
      length += bytes.length
      if (length > mostAhead) this.#connection.pause()
      if (length >= chunkSize) wake()
    }
    const over = (count: number, error?: Error) => {
      rows = count
      failure = error
      wake()
    }
    this.#connection.send(
      this.#copy(
        text,
        { onData },
        tag => over(countOf(tag)),
        error => over(0, error),
      ),
    )
    try {
      for (;;) {
        if (length < chunkSize && rows < 0) await new Promise<void>(resolve => (wake = resolve))
        if (failure) throw failure
        const chunk = Buffer.concat(held.splice(0))
        length = 0
        this.#connection.resume()
        if (chunk.length > 0) yield chunk
        else if (rows >= 0) return rows
      }
    } finally {
      // A COPY that nobody reads to its end would hold up everything behind it.
      if (rows < 0) this.#connection.end()
    }
  }

  /** Sends the content of a COPY … FROM STDIN, and returns the number of rows once PostgreSQL has taken all. */
  async copyIn(text: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const ended = new Promise<number>((resolve, reject) =>
      this.#connection.send(this.#copy(text, { onIn: begin }, tag => resolve(countOf(tag)), reject)),
    )
    await Promise.race([begun, ended])
    let failure: Error | undefined
    ended.catch(error => (failure = error))
    try {
      for await (const chunk of content) {
        if (failure) throw failure
        await this.#connection.sendCopy(chunk)
      }
    } catch (error) {
      if (!failure) this.#connection.endCopy('the source of the copy failed')
      await ended.catch(() => undefined)
      throw error
    }
    this.#connection.endCopy()
    return await ended
  }

  #statement(text: string, params: readonly unknown[]): Omit<Statement, 'mayPrepare' | 'resolve' | 'reject'> {
    return { shape: this.#shapes.find(text, params), params, place: this.#place, begins: false }
  }

  #copy(
    text: string,
    copy: Statement['copy'],
    resolve: (tag: string) => void,
    reject: (error: Error) => void,
  ): Statement {
    return {
      ...this.#statement(text, []),
      mayPrepare: false,
      copy,
      resolve: (_rows, tag) => resolve(tag),
      reject,
    }
  }

  [Symbol.dispose](): void {
    this.#connection.end()
  }
}

/** Reads the number of rows from `COPY 123`. */
function countOf(tag: string): number {
  return Number(tag.split(' ')[1] ?? 0)
}
