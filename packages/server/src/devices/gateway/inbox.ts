import { type DeviceClosing, type FromDevice, fromDevice, RequestError } from '@gatehouse-access/api'
import type { Timers } from '../../flow/timers.ts'
import type { Link } from './link.ts'

/** Messages per second, and the largest burst. */
const rate = 200
const burst = 400
/** Messages that may wait while one is handled, and the total length above which the socket is paused. */
const mostWaiting = 100
const mostCharacters = 1024 * 1024

type Queued = Exclude<FromDevice, { type: 'ping' }>

/**
 * Events wait for upload slots that all devices share. Their own lane keeps command outcomes and keypad input
 * of the connection from waiting behind them. Adding or removing a device is a barrier in both lanes.
 */
type Lane = 'events' | 'rest'

function lanesOf(type: Queued['type']): readonly Lane[] {
  if (type === 'events') return ['events']
  return type === 'hello' || type === 'attach' || type === 'detach' ? ['events', 'rest'] : ['rest']
}

interface InboxOptions {
  readonly timers: Timers
  readonly link: Pick<Link, 'pause' | 'resume'>
  /** Called serially in each lane. */
  handle(message: Queued): Promise<void>
  /** Called ahead of the queue: after a wait the timestamps are useless. */
  ping(message: FromDevice<'ping'>): void
  /** Called at most once. Nothing is read afterwards. */
  refuse(closing: DeviceClosing, message: string, field?: string): void
}

/** Validates, rate-limits and dispatches the messages of a device in order. */
export class Inbox {
  readonly #options: InboxOptions
  readonly #work: Record<Lane, Promise<unknown>> = { events: Promise.resolve(), rest: Promise.resolve() }
  #waiting = 0
  #characters = 0
  #isClosed = false
  #allowance: { readonly tokens: number; readonly at: number }
  heard_at: number

  constructor(options: InboxOptions) {
    this.#options = options
    this.heard_at = options.timers.elapsed()
    this.#allowance = { tokens: burst, at: this.heard_at }
  }

  close(): void {
    this.#isClosed = true
  }

  receive(text: string): void {
    if (this.#isClosed) return
    this.heard_at = this.#options.timers.elapsed()
    if (!this.#spend() || this.#waiting >= mostWaiting)
      this.#refuse('too_many_messages', 'messages arrive too fast')
    const message = this.#isClosed ? undefined : this.#parse(text)
    if (message?.type === 'ping') this.#options.ping(message)
    else if (message) this.#enqueue(message, text.length)
  }

  #enqueue(message: Queued, length: number): void {
    this.#wait(1, length)
    const lanes = lanesOf(message.type)
    const done = Promise.all(lanes.map(lane => this.#work[lane]))
      .then(() => (this.#isClosed ? undefined : this.#options.handle(message)))
      .finally(() => this.#wait(-1, -length))
    for (const lane of lanes) this.#work[lane] = done
  }

  /** Applies back-pressure, so that excess messages wait on the device and not in memory. */
  #wait(messages: number, characters: number): void {
    this.#waiting += messages
    this.#characters += characters
    if (this.#characters > mostCharacters) this.#options.link.pause()
    else this.#options.link.resume()
  }

  #spend(): boolean {
    const now = this.#options.timers.elapsed()
    const { tokens, at } = this.#allowance
    this.#allowance = { tokens: Math.min(burst, tokens + ((now - at) / 1000) * rate) - 1, at: now }
    return this.#allowance.tokens >= 0
  }

  #parse(text: string): FromDevice | undefined {
    try {
      return fromDevice.parse(JSON.parse(text), '')
    } catch (error) {
      if (error instanceof RequestError) this.#refuse('bad_message', error.message, error.args.field)
      else if (error instanceof SyntaxError) this.#refuse('bad_message', 'a message must be one JSON object')
      else throw error
      return undefined
    }
  }

  #refuse(closing: DeviceClosing, message: string, field?: string): void {
    this.#isClosed = true
    this.#options.refuse(closing, message, field)
  }
}
