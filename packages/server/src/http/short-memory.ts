import type { Revocations } from '../revocations.ts'

const freshness = 1000
const capacity = 10_000

/** Remembers what was looked up for at most a second, and forgets everything as soon as something is revoked. */
export class ShortMemory<Value> {
  #known = new Map<string, { value: Value | undefined; until: number }>()
  #generation = 0

  constructor(revocations: Pick<Revocations, 'onRevoked'>) {
    revocations.onRevoked(() => {
      this.#generation++
      this.#known.clear()
    })
  }

  async find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const held = this.#known.get(key)
    if (held && held.until > performance.now()) return held.value
    const [generation, asked] = [this.#generation, performance.now()]
    const value = await load()
    // What was read before a revocation must not be remembered after it.
    if (generation === this.#generation) this.#keep(key, value, asked + freshness)
    return value
  }

  #keep(key: string, value: Value | undefined, until: number): void {
    if (this.#known.size >= capacity) this.#known.clear()
    this.#known.set(key, { value, until })
  }
}
