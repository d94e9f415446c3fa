import type { IncomingHttpHeaders } from 'node:http'
import type { Attempt } from '@gatehouse-access/api'
import type { Dispatcher } from 'undici'
import { Deadlines } from '../../flow/deadlines.ts'
import type { Timers } from '../../flow/timers.ts'
import { refuseForbidden } from '../../outbound/addresses.ts'
import type { Connections, Line } from '../../outbound/connections.ts'
import { nameError } from '../../outbound/name-error.ts'
import type { Targets } from '../../outbound/targets.ts'

export const timeout = 10_000
const longestAnswer = 64 * 1024
const keptAnswer = 1024

/** Times out each POST. */
export function openDeadlines(timers: Timers): Deadlines<Post> {
  return new Deadlines(timers, timeout, exchange => exchange.giveUp())
}

export interface Sender {
  readonly deadlines: Deadlines<Post>
  readonly connections: Connections
  readonly targets: Targets
}

export interface Receiver {
  readonly origin: string
  readonly path: string
  /** The IP address in the URL, if it has one. */
  readonly address: string | undefined
}

export interface Message {
  readonly organization_id: string
  readonly target: Receiver
  /** Alternating names and values. */
  readonly headers: string[]
  readonly body: Buffer
}

type ErrorName = NonNullable<Attempt['error']>

export interface Answer {
  readonly status_code: number | null
  readonly error: ErrorName | null
  readonly answer: string | null
  readonly latency: number
  readonly retry_after: string | undefined
}

/** Sends one POST. Never rejects: a failure is an answer too. */
export function send(sender: Sender, message: Message): Promise<Answer> {
  return new Promise(resolve => new Post(sender, message.target, resolve).begin(message))
}

/**
 * Handles one POST directly on the connection: a stream for each answer would cost as much as the POST. Only
 * the status matters, whatever happens to the rest of the answer. Redirects are not followed.
 */
class Post implements Dispatcher.DispatchHandler {
  #sender: Sender
  #target: Receiver
  #resolve: (answer: Answer) => void
  #begin = performance.now()
  #line: Line | undefined
  #isOver = false
  #status: number | null = null
  #latency = 0
  #retryAfter: string | undefined
  #kept: Buffer[] | undefined
  #size = 0

  constructor(sender: Sender, target: Receiver, resolve: (answer: Answer) => void) {
    this.#sender = sender
    this.#target = target
    this.#resolve = resolve
  }

  begin({ organization_id, headers, body }: Message): void {
    this.#sender.deadlines.begin(this)
    const { origin, path, address } = this.#target
    try {
      if (address !== undefined) refuseForbidden(this.#sender.targets, address)
      this.#line = this.#sender.connections.take(origin, organization_id)
      this.#line.client.dispatch({ origin, path, method: 'POST', headers, body }, this)
    } catch (error) {
      this.#end(error)
    }
  }

  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#latency = this.#elapsed()
    // Contrary to its types, the library passes an array if the header is repeated.
    const after: unknown = headers['retry-after']
    this.#retryAfter = typeof after === 'string' ? after : undefined
  }

  /** Reads to the end, so that the connection can be reused, but within a limit. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < keptAnswer) {
      this.#kept ??= []
      this.#kept.push(Buffer.from(chunk.subarray(0, keptAnswer)))
    }
    this.#size += chunk.length
    if (this.#size > longestAnswer) this.#end(new Error('enough'))
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  giveUp(): void {
    this.#end(new DOMException('late', 'TimeoutError'))
  }

  #end(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sender.deadlines.end(this)
    const failed = this.#status === null
    const answer: Answer = {
      status_code: this.#status,
      error: failed ? nameError(error) : null,
      answer: this.#kept ? toText(Buffer.concat(this.#kept).subarray(0, keptAnswer)) : null,
      latency: failed ? this.#elapsed() : this.#latency,
      retry_after: this.#retryAfter,
    }
    const { connections } = this.#sender
    if (this.#line && error === undefined) connections.give(this.#line, () => this.#resolve(answer))
    else {
      this.#resolve(answer)
      if (this.#line) connections.drop(this.#line, error as Error, answer.error === 'connection_closed')
    }
  }

  #elapsed(): number {
    return Math.min(60_000, Math.round(performance.now() - this.#begin))
  }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function toText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '').toWellFormed()
}
