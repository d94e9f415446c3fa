import type { IncomingMessage, Server } from 'node:http'
import { every, type Timers } from '../../flow/timers.ts'

/** What came of a body since it was last asked, and for how many spans it has been coming. */
export interface Arrived {
  readonly bytes: number
  readonly spans: number
}

interface Arrival {
  due: number
  bytes: number
  spans: number
  mayGoOn?: (arrived: Arrived) => boolean
  isAnswered?: true
}

/**
 * Ends requests whose body takes longer than a span, as Node would: it knows only one time for all requests. A route can
 * give those that keep coming another span.
 */
export class Arrivals implements Disposable {
  readonly #server: Server
  readonly #timers: Timers
  readonly #span: number
  readonly #arriving = new Map<IncomingMessage, Arrival>()
  readonly #cancel: () => void

  constructor(server: Server, timers: Timers, span: number) {
    this.#server = server
    this.#timers = timers
    this.#span = span
    server.prependListener('request', (request: IncomingMessage) => this.#expect(request))
    this.#cancel = every(timers, span / 10, () => this.#look())
  }

  /** Asks `mayGoOn` at the end of each span, instead of ending the request. */
  prolong(request: IncomingMessage, mayGoOn: (arrived: Arrived) => boolean): void {
    const arrival = this.#arriving.get(request)
    if (arrival) arrival.mayGoOn = mayGoOn
  }

  #expect(request: IncomingMessage): void {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length === '0' && coding === undefined) return
    const due = this.#timers.elapsed() + this.#span
    this.#arriving.set(request, { due, bytes: request.socket.bytesRead, spans: 0 })
    request.once('close', () => this.#arriving.delete(request))
  }

  #look(): void {
    const now = this.#timers.elapsed()
    for (const [request, arrival] of this.#arriving)
      if (request.complete) this.#arriving.delete(request)
      else if (arrival.due <= now) this.#end(request, arrival, now)
  }

  #end(request: IncomingMessage, arrival: Arrival, now: number): void {
    const { socket } = request
    if (arrival.isAnswered) return void socket.destroy()
    const bytes = socket.bytesRead - arrival.bytes
    // From now, not from when it was due: each span is a whole one.
    arrival.due = now + this.#span
    arrival.bytes = socket.bytesRead
    if (arrival.mayGoOn?.({ bytes, spans: ++arrival.spans })) return
    arrival.isAnswered = true
    const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    this.#server.emit('clientError', late, socket)
  }

  [Symbol.dispose](): void {
    this.#cancel()
  }
}
