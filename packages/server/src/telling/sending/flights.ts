/** Messages that may be on their way at once: of one organization, and of all. */
const mostOfOne = 16
const mostOfAll = 512

/**
 * Messages that are on their way. Nobody waits for them: a receiver that hangs takes room, but no time of others. An
 * organization never occupies more room than it leaves free, so that those whose receivers hang leave some to the
 * others, however often their turn comes.
 */
export class Flights {
  readonly #flying = new Set<Promise<void>>()
  readonly #occupied = new Map<string, number>()
  #free = mostOfAll

  /** Takes as many as there is room for, and begins to send them. `send` must not reject. */
  async launch<One>(
    organizationId: string,
    take: (most: number) => Promise<readonly One[]>,
    send: (one: One) => Promise<void>,
  ): Promise<void> {
    const room = this.#roomFor(organizationId)
    if (room === 0) return
    // Before it is known how many there are: others ask for room meanwhile.
    this.#occupy(organizationId, room)
    let taken: readonly One[] = []
    try {
      taken = await take(room)
    } finally {
      this.#occupy(organizationId, taken.length - room)
    }
    for (const one of taken) this.#follow(organizationId, send(one))
  }

  /** Returns when all that are on their way have arrived or failed. */
  async landed(): Promise<void> {
    await Promise.all(this.#flying)
  }

  #roomFor(organizationId: string): number {
    const own = this.#occupied.get(organizationId) ?? 0
    if (own === 0) return Math.min(mostOfOne, Math.ceil(this.#free / 2))
    return Math.max(0, Math.min(mostOfOne - own, Math.floor((this.#free - own) / 2)))
  }

  #occupy(organizationId: string, count: number): void {
    this.#free -= count
    const now = (this.#occupied.get(organizationId) ?? 0) + count
    if (now > 0) this.#occupied.set(organizationId, now)
    else this.#occupied.delete(organizationId)
  }

  #follow(organizationId: string, sending: Promise<void>): void {
    const flight = sending.finally(() => {
      this.#occupy(organizationId, -1)
      this.#flying.delete(flight)
    })
    this.#flying.add(flight)
  }
}
