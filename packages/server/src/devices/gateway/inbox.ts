import { type DeviceClosing, type FromDevice, fromDevice, RequestError } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Clock } from '../../flow/clock.ts'
import { inSlices } from '../../flow/slices.ts'
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
  /** Whose turns messages are read in. */
  readonly organization_id: string
  readonly clock: Clock
  readonly timers: Timers
  readonly link: Pick<Link, 'pause' | 'resume'>
  /** Called serially in each lane. */
  handle(message: Queued): Promise<void>
  /** Called ahead of the queue. A device sets its clock by the answer, which therefore says when the ping arrived. */
  ping(message: FromDevice<'ping'>, receivedAt: string): void
  /** Called at most once. Nothing is read afterwards. */
  refuse(closing: DeviceClosing, message: string, field?: string): void
}

/** A message as it arrived. */
interface Unread {
  readonly text: string
  readonly received_at: string
}

/**
 * Validates, rate-limits and dispatches the messages of a device in order. After a change, thousands of devices
 * answer within one iteration of the event loop. So messages are read in slices, and requests are served between.
 */
export class Inbox {
  readonly #options: InboxOptions
  readonly #unread: Unread[] = []
  /** The last message of a lane, while it is handled or waits for that. */
  readonly #work = new Map<Lane, Promise<void>>()
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
    else this.#keep({ text, received_at: this.#options.clock.now() })
  }

  #keep(unread: Unread): void {
    this.#wait(1, unread.text.length)
    this.#unread.push(unread)
    if (this.#unread.length === 1) void inSlices(this.#options.organization_id, this.#readAll())
  }

  /** What arrives meanwhile is read as well. */
  *#readAll(): Steps<void> {
    for (let next = this.#unread.shift(); next; next = this.#unread.shift()) {
      if (!this.#isClosed) this.#read(next)
      yield
    }
  }

  #read({ text, received_at }: Unread): void {
    const message = this.#parse(text)
    if (message?.type === 'ping') this.#options.ping(message, received_at)
    if (!message || message.type === 'ping') this.#wait(-1, -text.length)
    else this.#enqueue(message, text.length)
  }

  /** A message that nothing is ahead of is handled at once: that counts as part of reading it. */
  #enqueue(message: Queued, length: number): void {
    const lanes = lanesOf(message.type)
    const ahead = lanes.flatMap(lane => this.#work.get(lane) ?? [])
    const handled =
      ahead.length === 0 ? this.#handle(message) : Promise.all(ahead).then(() => this.#handle(message))
    const done = handled.finally(() => {
      this.#wait(-1, -length)
      for (const lane of lanes) if (this.#work.get(lane) === done) this.#work.delete(lane)
    })
    for (const lane of lanes) this.#work.set(lane, done)
  }

  async #handle(message: Queued): Promise<void> {
    if (!this.#isClosed) await this.#options.handle(message)
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
