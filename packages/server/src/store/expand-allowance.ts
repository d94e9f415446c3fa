/** A leaky bucket per organization: holds `most`, drains `perSecond`. */
export class Allowance {
  readonly #most: number
  readonly #perSecond: number
  readonly #used = new Map<string, { amount: number; at: number }>()

  constructor(most: number, perSecond: number) {
    this.#most = most
    this.#perSecond = perSecond
  }

  charge(organizationId: string, amount: number, now = performance.now()): void {
    const used = this.#usedBy(organizationId, now) + amount
    this.#used.set(organizationId, { amount: used, at: now })
    if (this.#used.size > 1000) this.#forget(now)
  }

  isUsedUp(organizationId: string, now = performance.now()): boolean {
    return this.#usedBy(organizationId, now) >= this.#most
  }

  #usedBy(organizationId: string, now: number): number {
    const held = this.#used.get(organizationId)
    return held ? Math.max(0, held.amount - ((now - held.at) / 1000) * this.#perSecond) : 0
  }

  #forget(now: number): void {
    for (const id of this.#used.keys()) if (this.#usedBy(id, now) === 0) this.#used.delete(id)
  }
}
