import { FairQueue, type Waiter } from './fair-queue.ts'

/** How wide a lane is, in units of a plain read. */
export interface Width {
  readonly limit: number
  /** The most that may wait. */
  readonly room: number
  /** The part of the limit that one tenant may have: the rest is free for the next one at once. */
  readonly share: number
}

type Cost = Pick<Waiter, 'tenant' | 'weight'>

interface Waiting extends Waiter {
  admit(): void
  refuse(): void
}

/** Those who are served and those who wait for it, by tenant. */
export class Lane {
  readonly #width: () => Width
  readonly #patience: number
  readonly #queue = new FairQueue<Waiting>()
  readonly #served = new Map<string, number>()
  #inFlight = 0
  /** The next request needs more room than there is: none of it is given away meanwhile. */
  #isGathering = false
  refused = 0

  /** A request that has waited for `patience` milliseconds would be answered too late. */
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

  /** Whether one more of this tenant would be refused by now; for those who would first send a large body. */
  isClosedTo(tenant: string): boolean {
    return this.#queue.weight >= this.#width().room && this.#queue.weightOf(tenant) > 0
  }

  /** Undefined: served at once. A promise: whether, once it is known. */
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

  /** The newest of whoever has most in line gives way to those who have less. */
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

  /** Serves whom there is room for. */
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

  /** Refuses those who have waited too long. */
  expire(): void {
    for (const late of this.#queue.expire(performance.now() - this.#patience)) late.refuse()
  }

  #begin(tenant: string, weight: number): void {
    this.#inFlight += weight
    this.#served.set(tenant, (this.#served.get(tenant) ?? 0) + weight)
  }

  /** Whether nobody has to be waited for. */
  #isFree(item: Cost): boolean {
    const isFirst = !this.#isGathering && this.#queue.weightOf(item.tenant) === 0
    return isFirst && this.#isWithinShare(item) && this.#inFlight + item.weight <= this.#width().limit
  }

  /** What is too heavy for its share is served when nothing else of its tenant is. */
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
