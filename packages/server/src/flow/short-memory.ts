import type { Timers } from './timers.ts'

/** What a look-up is run by: whoever finds one under way joins it and takes no turn of its own. */
export type LookUp = <Value>(load: () => Promise<Value>) => Promise<Value>
export const atOnce: LookUp = load => load()

/** Tells when something that may be remembered no longer holds. */
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
 * Remembers what was looked up for at most a second, and forgets everything as soon as something is revoked. What was
 * not found is remembered apart: whoever guesses pushes out guesses only. Who asks during a look-up waits for that one.
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

  /** What was found a moment ago, without waiting. */
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

  /** False when something was revoked meanwhile: what was read before that must not be remembered after it. */
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
