import { RequestError } from '@gatehouse-access/api'
import type { Context } from '../../services/objects/context.ts'
import { Lane, type Width } from './lane.ts'
import { Pace } from './pace.ts'
import { Refusals } from './refusals.ts'

/**
 * The lanes of requests. Requests that open doors or remove access never wait behind other requests, nor
 * behind each other. Caller lookups have their own lane and are counted by network, since the caller is not
 * known yet. Device lookups have another, because thousands of devices reconnect at once after an outage.
 * Forms may wait for a password check, which is deliberately slow, so no other request waits behind them.
 */
const lanes = ['ordinary', 'door', 'revocation', 'look_up', 'device', 'page', 'form'] as const
export type LaneName = (typeof lanes)[number]

/** A door request may wait seconds for hardware, which costs nothing here. Its limit is therefore high. */
const widths: Readonly<Record<Exclude<LaneName, 'ordinary'>, Width>> = {
  door: { limit: 512, room: 512, share: 1 / 4 },
  revocation: { limit: 32, room: 256, share: 1 / 2 },
  // One address may be a proxy for all callers.
  look_up: { limit: 32, room: 256, share: 1 },
  device: { limit: 4, room: 2048, share: 1 },
  page: { limit: 64, room: 256, share: 1 },
  form: { limit: 64, room: 256, share: 1 / 2 },
}

const adaptingGap = 200
const heaviest = 8

/** A request in service. `end` must be called exactly once. */
export interface Turn {
  end(): void
}

/**
 * Admits as many requests as can be served within a second, in turn by organization, and refuses the newest
 * beyond that. An early 503 is cheap and can be retried, while a long queue would delay all callers.
 */
export class Turnstile implements Disposable {
  readonly #pace: Pace
  readonly #lanes: Readonly<Record<LaneName, Lane>>
  readonly #refusals = new Refusals()
  readonly #timer: NodeJS.Timeout

  constructor({ metrics, config }: Pick<Context, 'metrics' | 'config'>) {
    // Leaves a margin: the measured rate can be off by half before a request waits too long.
    this.#pace = new Pace((config.turn_wait * 2) / 3)
    const widthOf = (name: LaneName) =>
      name === 'ordinary'
        ? () => ({ limit: this.#pace.limit, room: this.#pace.room, share: 1 / 2 })
        : () => widths[name]
    this.#lanes = Object.fromEntries(
      lanes.map(name => [name, new Lane(widthOf(name), config.turn_wait)]),
    ) as never
    this.#timer = setInterval(() => this.#adapt(), adaptingGap).unref()
    for (const lane of lanes) this.#tell(metrics, lane)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** Returns a turn, at once if possible. Throws 503 if none is available in time. */
  enter(name: LaneName, tenant: string, weight = 1): Turn | Promise<Turn> {
    const units = Math.min(heaviest, weight)
    const pending = this.#lanes[name].enter(tenant, units)
    if (!pending) return this.#begin(name, tenant, units)
    return pending.then(isServed => (isServed ? this.#begin(name, tenant, units) : this.refuse(name)))
  }

  /** Runs `work` within a turn. */
  async run<T>(name: LaneName, tenant: string, weight: number, work: () => Promise<T>): Promise<T> {
    const turn = await this.enter(name, tenant, weight)
    return work().finally(() => turn.end())
  }

  /** Refuses a request that would be refused anyway, before its body is read. */
  refuseEarly(name: LaneName, tenant: string): void | Promise<void> {
    const lane = this.#lanes[name]
    if (!lane.isClosedTo(tenant)) return
    lane.refused += 1
    return this.refuse(name)
  }

  /** Refuses with 503. Requests that open a door or remove access are refused without delay. */
  async refuse(name: LaneName, message?: string): Promise<never> {
    if (name !== 'door' && name !== 'revocation') await this.#refusals.pause()
    throw overloaded(message)
  }

  #begin(name: LaneName, tenant: string, weight: number): Turn {
    const begun = performance.now()
    return {
      end: () => {
        if (name === 'ordinary') this.#pace.note(weight, performance.now() - begun)
        this.#lanes[name].leave(tenant, weight)
      },
    }
  }

  #adapt(): void {
    this.#pace.adapt(this.#lanes.ordinary.waiting > 0)
    for (const lane of Object.values(this.#lanes)) {
      lane.expire()
      lane.pump()
    }
  }

  #tell(metrics: Context['metrics'], lane: LaneName): void {
    const about = this.#lanes[lane]
    metrics.gauge(
      'gatehouse_turns_in_flight',
      'What is being served, in units of a plain read, by lane.',
      () => about.in_flight,
      { lane },
    )
    metrics.gauge(
      'gatehouse_turns_waiting',
      'Requests waiting for their turn, by lane.',
      () => about.waiting,
      { lane },
    )
    metrics.gauge(
      'gatehouse_turns_refused',
      'Requests refused since the start because they could not be served in time, by lane.',
      () => about.refused,
      { lane },
    )
  }
}

const retryAfter = { 'retry-after': '1' }

const tooMuch = 'the service receives more requests than it can answer within a second; try again shortly'

export function overloaded(message = tooMuch): RequestError {
  return new RequestError('unavailable', message, { args: { reason: 'overloaded' }, headers: retryAfter })
}

export function isOverload(error: unknown): boolean {
  return error instanceof RequestError && error.args.reason === 'overloaded'
}
