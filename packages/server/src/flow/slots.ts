/**
 * Limits how many operations of one kind run in this process, in total and per organization. Waiters are
 * served round-robin by organization, so that an organization with ten thousand waiters delays another by one
 * slot, not by ten thousand.
 */
export class Slots {
  #free: number
  #perOrganization: number
  #taken = new Map<string, number>()
  #waiting = new Map<string, (() => void)[]>()

  constructor(total: number, perOrganization: number) {
    this.#free = total
    this.#perOrganization = perOrganization
  }

  take(organizationId: string): Promise<void> | undefined {
    if (this.#free > 0 && !this.#isFull(organizationId)) return void this.#occupy(organizationId)
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = this.#waiting.get(organizationId)
    if (queue) queue.push(resolve)
    else this.#waiting.set(organizationId, [resolve])
    return promise
  }

  async pass<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    await this.take(organizationId)
    try {
      return await work()
    } finally {
      this.give(organizationId)
    }
  }

  /** Whether a waiter could continue if this organization released a slot. */
  isWaitedFor(organizationId: string): boolean {
    return this.#waiting.has(organizationId) || (this.#free === 0 && this.#waiting.size > 0)
  }

  give(organizationId: string): void {
    this.#free++
    const left = (this.#taken.get(organizationId) ?? 1) - 1
    if (left > 0) this.#taken.set(organizationId, left)
    else this.#taken.delete(organizationId)
    this.#serveNext()
  }

  #serveNext(): void {
    for (const [organizationId, queue] of this.#waiting) {
      if (this.#isFull(organizationId)) continue
      // A map keeps insertion order, so the served organization moves to the end of the queue.
      this.#waiting.delete(organizationId)
      const resolve = queue.shift()
      if (queue.length > 0) this.#waiting.set(organizationId, queue)
      this.#occupy(organizationId)
      resolve?.()
      return
    }
  }

  #occupy(organizationId: string): void {
    this.#free--
    this.#taken.set(organizationId, (this.#taken.get(organizationId) ?? 0) + 1)
  }

  #isFull(organizationId: string): boolean {
    return (this.#taken.get(organizationId) ?? 0) >= this.#perOrganization
  }
}
