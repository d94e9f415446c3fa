import { connect, type Socket } from 'node:net'

/** What one process sends: a fixed rate of requests, whether or not earlier ones were answered. */
export interface Flood {
  readonly url: string
  readonly requests: readonly { readonly method?: string; readonly path: string; readonly body?: string }[]
  readonly headers: Readonly<Record<string, string>>
  readonly a_second: number
  readonly seconds: number
  readonly connections: number
}

export interface Outcome {
  readonly sent: number
  /** Requests that were due while every connection was waiting for a response. */
  readonly unsent: number
  readonly refused: number
  readonly failed: number
  /** Milliseconds from sending a request to the end of its response, for accepted requests. */
  readonly accepted: readonly number[]
}

process.on('message', async (flood: Flood) => process.send?.(await run(flood)))
process.on('disconnect', () => process.exit())

/**
 * Serializes requests once and reads only the status and length of responses: sending must cost less than
 * serving.
 */
async function run({ url, requests, headers, a_second, seconds, connections }: Flood): Promise<Outcome> {
  const { hostname, port } = new URL(url)
  const bytes = requests.map(request => format(request, { host: `${hostname}:${port}`, ...headers }))
  const outcome = { sent: 0, unsent: 0, refused: 0, failed: 0, accepted: [] as number[] }
  const idle = Array.from({ length: connections }, () => new Connection(Number(port), hostname))
  const all = [...idle]
  const note = (connection: Connection, status: number, milliseconds: number) => {
    idle.push(connection)
    if (status === 200) outcome.accepted.push(milliseconds)
    else if (status === 503) outcome.refused++
    else outcome.failed++
  }
  const begun = performance.now()
  let due = 0
  while (performance.now() - begun < seconds * 1000) {
    const now = Math.floor(((performance.now() - begun) / 1000) * a_second)
    for (; due < now; due++) {
      const connection = idle.pop()
      // Drops a request that is late: sending it later would measure a queue in this process.
      if (connection) connection.ask(bytes[due % bytes.length] as Buffer, note)
      outcome[connection ? 'sent' : 'unsent']++
    }
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  for (const patience = performance.now() + 10_000; idle.length < all.length; ) {
    if (performance.now() > patience) throw new Error(`${all.length - idle.length} requests have no answer`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  for (const connection of all) connection.close()
  return outcome
}

function format(
  { method = 'GET', path, body = '' }: Flood['requests'][number],
  headers: Readonly<Record<string, string>>,
): Buffer {
  const type =
    body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }
  const lines = Object.entries({ ...headers, ...type }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}

type Note = (connection: Connection, status: number, milliseconds: number) => void

/** Handles one request at a time. */
class Connection {
  #socket: Socket | undefined
  #note: Note | undefined
  #since = 0
  #chunks: Buffer[] = []
  /** The remaining bytes of the response, once its head has been read. */
  #left: number | undefined
  #status = 0
  readonly #port: number
  readonly #host: string

  constructor(port: number, host: string) {
    this.#port = port
    this.#host = host
  }

  ask(bytes: Buffer, note: Note): void {
    this.#note = note
    this.#since = performance.now()
    this.#socket ??= this.#open()
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#port, this.#host).setNoDelay()
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    // Closed during a request, which counts as failed. The next request opens a new socket.
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#end(0)
    })
    return socket
  }

  #read(chunk: Buffer): void {
    if (this.#left === undefined) {
      this.#chunks.push(chunk)
      const whole = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
      const end = whole.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = whole.toString('latin1', 0, end)
      this.#status = Number(head.slice(9, 12))
      this.#left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (whole.length - end - 4)
      if (Number.isNaN(this.#left)) throw new Error(`an answer of unknown length:\n${head}`)
    } else this.#left -= chunk.length
    if (this.#left === 0) this.#end(this.#status)
  }

  #end(status: number): void {
    const note = this.#note
    this.#note = undefined
    this.#left = undefined
    this.#chunks = []
    note?.(this, status, performance.now() - this.#since)
  }
}
