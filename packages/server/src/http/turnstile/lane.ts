import { FairQueue, type Waiter } from './fair-queue.ts'

/** The capacity of a lane, in units of a plain read. */
export interface Width {
  readonly limit: number
  /** The most that can wait. */
  readonly room: number
  /** The part of the limit that one tenant can use. The rest stays free for other tenants. */
  readonly share: number
}

type Cost = Pick<Waiter, 'tenant' | 'weight'>

interface Waiting extends Waiter {
  admit(): void
  refuse(): void
}

/** The requests in service and those waiting, by tenant. */
export class Lane {
  readonly #width: () => Width
  readonly #patience: number
  readonly #queue = new FairQueue<Waiting>()
  readonly #served = new Map<string, number>()
  #inFlight = 0
  /** The next request needs more room than is free, so free room is not given to other requests. */
  #isGathering = false
  refused = 0

  /** After `patience` milliseconds in the queue, a request is refused: its response would be too late. */
  constructor(width: () => Width, patience = 600) {
    this.#width = width
    this.#patience = patience
  }

  get in_flight(): number {
    return this.#inFlight
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Returns whether another request of this tenant would be refused. Used before a large body is read. */
  isClosedTo(tenant: string): boolean {
    return this.#queue.weight >= this.#width().room && this.#queue.weightOf(tenant) > 0
  }

  /** Returns undefined if the request is served at once, otherwise a promise of whether it will be served. */
  enter(tenant: string, weight: number): undefined | Promise<boolean> {
    if (this.#isFree({ tenant, weight })) {
      this.#begin(tenant, weight)
      return undefined
    }
    return new Promise(resolve => this.#wait(tenant, weight, resolve))
  }

  #wait(tenant: string, weight: number, resolve: (isServed: boolean) => void): void {
    const refuse = () => {
      this.refused += 1
      resolve(false)
    }
    const item = { tenant, weight, since: performance.now(), admit: () => resolve(true), refuse }
    if (this.#makeRoom(tenant, weight)) this.#queue.push(item)
    else refuse()
  }

  /** Evicts the newest request of the tenant with the most queued, in favor of tenants with less. */
  #makeRoom(tenant: string, weight: number): boolean {
    if (this.#queue.weight + weight <= this.#width().room) return true
    const victim = this.#queue.evict(this.#queue.weightOf(tenant) + weight)
    victim?.refuse()
    return victim !== undefined
  }

  leave(tenant: string, weight: number): void {
    this.#inFlight -= weight
    const left = (this.#served.get(tenant) ?? 0) - weight
    if (left > 0) this.#served.set(tenant, left)
    else this.#served.delete(tenant)
    this.pump()
  }

  /** Serves waiting requests while there is room. */
  pump(): void {
    for (;;) {
      this.#isGathering = false
      const next = this.#queue.shift(
        item => this.#isWithinShare(item),
        item => this.#hasRoom(item),
      )
      if (!next) return
      this.#begin(next.tenant, next.weight)
      next.admit()
    }
  }

  /** Refuses requests that have waited too long. */
  expire(): void {
    for (const late of this.#queue.expire(performance.now() - this.#patience)) late.refuse()
  }

  #begin(tenant: string, weight: number): void {
    this.#inFlight += weight
    this.#served.set(tenant, (this.#served.get(tenant) ?? 0) + weight)
  }

  /** Returns whether the request can be served without waiting. */
  #isFree(item: Cost): boolean {
    const isFirst = !this.#isGathering && this.#queue.weightOf(item.tenant) === 0
    return isFirst && this.#isWithinShare(item) && this.#inFlight + item.weight <= this.#width().limit
  }

  /** A request that exceeds its tenant's share is served when the tenant has no other request in service. */
  #isWithinShare({ tenant, weight }: Cost): boolean {
    const { limit, share } = this.#width()
    const own = this.#served.get(tenant) ?? 0
    return own === 0 || own + weight <= limit * share
  }

  #hasRoom({ weight }: Cost): boolean {
    this.#isGathering = this.#inFlight + weight > this.#width().limit
    return !this.#isGathering
  }
}
