import type { Timers } from './timers.ts'

/** Runs the load of a lookup, for example in a slot. Callers that join a lookup in flight do not use it. */
export type LookUp = <Value>(load: () => Promise<Value>) => Promise<Value>
export const atOnce: LookUp = load => load()

/** Announces that cached values may no longer be valid. */
interface Revocable {
  onRevoked(listener: () => void): void
}

const freshness = 1000
const capacity = 10_000

interface Held<Value> {
  readonly value: Value
  readonly until: number
}

/**
 * Caches lookups for at most one second, and drops everything when something is revoked. Misses are cached
 * separately, so that guessed keys can evict only other misses. Concurrent lookups of a key share one load.
 */
export class ShortMemory<Value extends object> {
  readonly #timers: Pick<Timers, 'elapsed'>
  #found = new Map<string, Held<Value>>()
  #missing = new Map<string, Held<undefined>>()
  #underWay = new Map<string, Promise<Value | undefined>>()

  constructor(revocations: Revocable, timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers
    revocations.onRevoked(() => {
      for (const held of [this.#found, this.#missing, this.#underWay]) held.clear()
    })
  }

  /** Returns a cached value without waiting. */
  recall(key: string): Value | undefined {
    return this.#freshOf(this.#found.get(key))?.value
  }

  async find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const held = this.#freshOf(this.#found.get(key)) ?? this.#freshOf(this.#missing.get(key))
    if (held) return held.value
    return this.#underWay.get(key) ?? this.#lookUp(key, load)
  }

  #lookUp(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const until = this.#timers.elapsed() + freshness
    const underWay: Promise<Value | undefined> = load().then(
      value => {
        if (this.#end(key, underWay)) this.#keep(key, value, until)
        return value
      },
      error => {
        this.#end(key, underWay)
        throw error
      },
    )
    this.#underWay.set(key, underWay)
    return underWay
  }

  #freshOf<Entry extends Held<unknown>>(held: Entry | undefined): Entry | undefined {
    return held && held.until > this.#timers.elapsed() ? held : undefined
  }

  /**
   * Returns false if something was revoked in the meantime: a value read before a revocation must not be
   * cached after it.
   */
  #end(key: string, underWay: Promise<Value | undefined>): boolean {
    return this.#underWay.get(key) === underWay && this.#underWay.delete(key)
  }

  #keep(key: string, value: Value | undefined, until: number): void {
    if (value) put(this.#found, key, { value, until })
    else put(this.#missing, key, { value, until })
  }
}

function put<Entry>(map: Map<string, Entry>, key: string, entry: Entry): void {
  if (map.size >= capacity) map.clear()
  map.set(key, entry)
}
