import type { Effect } from './postgres/query.ts'

/** Notifies listeners of the effects of committed transactions. */
export class Effects {
  readonly #listeners = new Map<Effect, (() => void)[]>()

  on(effect: Effect, listener: () => void): void {
    this.#listeners.set(effect, [...(this.#listeners.get(effect) ?? []), listener])
  }

  tell(effects: Iterable<Effect>): void {
    for (const effect of effects) for (const listener of this.#listeners.get(effect) ?? []) listener()
  }
}
