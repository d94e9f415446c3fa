/**
 * How many of one kind may be under way in this process: in all, and for one organization. Who waits is served in turn by
 * organization, so that one with ten thousand of them delays another by one slot and not by ten thousand.
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

  /** Whether anyone is waiting who could continue if this organization released a slot. */
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
      // A map keeps the order of insertion: whoever was served goes to the end of the line.
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
