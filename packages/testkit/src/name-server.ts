import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A DNS server on loopback. Every name resolves to 127.0.0.1, some after a delay. */
export interface NameServer extends AsyncDisposable {
  /** The address in the form that a resolver accepts. */
  readonly address: string
  /** The names that were queried, in order. Counts only A queries (IPv4). */
  readonly asked: string[]
}

/** `delayOf` returns milliseconds, or undefined when the name does not exist. */
export async function nameServer(delayOf: (name: string) => number | undefined): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  let isClosed = false
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readQuestion(query)
    if (type === 1) asked.push(name)
    const delay = delayOf(name)
    const answer = answerTo(query.subarray(0, end), type === 1, delay !== undefined)
    const send = () => (isClosed ? undefined : socket.send(answer, port, address, () => undefined))
    setTimeout(send, delay ?? 0).unref()
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      isClosed = true
      socket.close()
    },
  }
}

function readQuestion(query: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, type: query.readUInt16BE(at + 1) }
}

/** Returns the question with a response: one address, no record of that type, or no such name. */
function answerTo(question: Buffer, hasAddress: boolean, exists: boolean): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(exists ? 0x8180 : 0x8183, 2)
  const count = hasAddress && exists ? 1 : 0
  head.writeUInt16BE(count, 6)
  head.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  return count === 1 ? Buffer.concat([head, record]) : head
}
