import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { isLoopback } from '../../../network/loopback.ts'
import { malformed } from '../wire/errors.ts'
import { back } from '../wire/messages.ts'
import { readError, WireReader } from '../wire/reader.ts'
import { WireWriter } from '../wire/writer.ts'
import type { Address } from './address.ts'
import { Authentication } from './authentication.ts'

/**
 * Only settings that poolers pass on: they reject a connection that asks for any other. The date settings
 * match what `timestamps.ts` parses.
 */
const settings = { client_encoding: 'UTF8', DateStyle: 'ISO', TimeZone: 'UTC' }

/** Messages that PostgreSQL sends during sign-in and that are ignored. */
const unneeded: ReadonlySet<number> = new Set([
  back.keyData,
  back.negotiate,
  back.notice,
  back.parameterStatus,
])

/** Runs the startup and authentication exchange until PostgreSQL is ready for statements. */
export function handshake(socket: Socket, address: Address): Promise<WireReader> {
  const authentication = new Authentication(address, isPrivate(socket, address))
  return new Promise((resolve, reject) => {
    let isThinking = false
    const take = (type: number, message: Buffer) => {
      if (type === back.error) throw readError(message, 0, message.length)
      if (isThinking) throw malformed('it did not wait for our answer')
      if (type === back.ready) return leave()
      if (type === back.authentication) return send(authentication.answer(message))
      if (!unneeded.has(type)) throw malformed(`a message of type ${type} came before it was ready`)
    }
    const send = (answer: Buffer | Promise<Buffer> | undefined) => {
      if (!answer) return
      if (!(answer instanceof Promise)) return void socket.write(answer)
      isThinking = true
      answer.then(bytes => {
        isThinking = false
        socket.write(bytes)
      }, reject)
    }
    const reader = new WireReader((type, data, start, end) =>
      take(type, Buffer.from(data.subarray(start, end))),
    )
    const read = (chunk: Buffer) => {
      try {
        reader.push(chunk)
      } catch (error) {
        reader.stop()
        reject(error)
      }
    }
    const leave = () => {
      if (!authentication.isOver) throw malformed('it was ready before it let us in')
      socket.off('data', read)
      resolve(reader)
    }
    socket.on('data', read)
    socket.write(startup(address))
  })
}

/** Whether nobody on the network path can eavesdrop. */
function isPrivate(socket: Socket, { host }: Address): boolean {
  return socket instanceof TLSSocket || host.startsWith('/') || isLoopback(host)
}

function startup({ user, database, settings: others }: Address): Buffer {
  const out = new WireWriter()
  out.beginUntyped()
  out.int32(3 << 16)
  for (const pair of Object.entries({
    user,
    database,
    application_name: 'gatehouse',
    ...others,
    ...settings,
  }))
    for (const text of pair) out.text(text)
  out.byte(0)
  out.finish()
  return out.take()
}
