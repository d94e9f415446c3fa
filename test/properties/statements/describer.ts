import { once } from 'node:events'
import type { Socket } from 'node:net'
import { openSocket } from '../../../packages/server/src/database/postgres/dial.ts'
import { addressOf } from '../../../packages/server/src/database/postgres/login/address.ts'
import { handshake } from '../../../packages/server/src/database/postgres/login/handshake.ts'
import type { PostgresError } from '../../../packages/server/src/database/postgres/wire/errors.ts'
import { back } from '../../../packages/server/src/database/postgres/wire/messages.ts'
import { readError, type WireReader } from '../../../packages/server/src/database/postgres/wire/reader.ts'
import { type Column, readColumns } from '../../../packages/server/src/database/postgres/wire/rows.ts'
import {
  writeDescribe,
  writeParse,
  writeSync,
} from '../../../packages/server/src/database/postgres/wire/write-statement.ts'
import { WireWriter } from '../../../packages/server/src/database/postgres/wire/writer.ts'

/** Describes statements without running them, using our driver's wire protocol. */
export class Describer implements Disposable {
  readonly #socket: Socket
  readonly #reader: WireReader
  readonly #out = new WireWriter()

  private constructor(socket: Socket, reader: WireReader) {
    this.#socket = socket
    this.#reader = reader
    reader.isTrusted = true
    socket.on('data', chunk => reader.push(Buffer.from(chunk)))
  }

  static async open(url: string): Promise<Describer> {
    const address = addressOf({ url })
    const socket = openSocket(address)
    await once(socket, 'connect')
    return new Describer(socket, await handshake(socket, address))
  }

  /** Returns the columns of a statement, or an error if PostgreSQL rejects it. */
  describe(text: string): Promise<readonly Column[] | PostgresError> {
    const { promise, resolve } = Promise.withResolvers<readonly Column[] | PostgresError>()
    let answer: readonly Column[] | PostgresError = []
    this.#reader.handle = (type, data, start, end) => {
      if (type === back.rowDescription) answer = readColumns(data, start, end)
      if (type === back.error) answer = readError(data, start, end)
      if (type === back.ready) resolve(answer)
    }
    writeParse(this.#out, '', text, [])
    writeDescribe(this.#out, '')
    writeSync(this.#out)
    this.#socket.write(this.#out.take())
    return promise
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }
}
