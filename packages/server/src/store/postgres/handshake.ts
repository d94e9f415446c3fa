import type { Socket } from 'node:net'
import type { Address } from './address.ts'
import { Authentication } from './authentication.ts'
import { back } from './messages.ts'
import { readError, WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/**
 * Only what poolers pass on is said here: they refuse a connection that asks for any other setting. Dates and times come as
 * `timestamps.ts` reads them.
 */
const settings = { client_encoding: 'UTF8', DateStyle: 'ISO', TimeZone: 'UTC', application_name: 'gatehouse' }

/** Introduces the service to PostgreSQL, up to where it takes statements. */
export function handshake(socket: Socket, address: Address): Promise<WireReader> {
  const authentication = new Authentication(address)
  return new Promise((resolve, reject) => {
    const onMessage = async (type: number, message: Buffer) => {
      if (type === back.error) return reject(readError(message, 0))
      if (type === back.ready) return leave()
      if (type !== back.authentication) return
      const answer = await authentication.answer(message)
      if (answer) socket.write(answer)
    }
    const reader = new WireReader((type, data, start, end) => {
      onMessage(type, Buffer.from(data.subarray(start, end))).catch(reject)
    })
    const read = (chunk: Buffer) => reader.push(chunk)
    const leave = () => {
      socket.off('data', read)
      resolve(reader)
    }
    socket.on('data', read)
    socket.write(startup(address))
  })
}

function startup({ user, database, settings: others }: Address): Buffer {
  const out = new WireWriter()
  out.beginUntyped()
  out.int32(3 << 16)
  for (const pair of Object.entries({ user, database, ...settings, ...others }))
    for (const text of pair) out.text(text)
  out.byte(0)
  out.finish()
  return out.take()
}
