import type { Timers } from './timers.ts'

interface Bounds {
  readonly least: number
  readonly first: number
  readonly most: number
  /** Milliseconds that a batch should take. */
  readonly aim: number
}

/** Chooses how much a batch takes by how long the one before took: a busy machine gets small ones, and an idle one wastes no time. */
export class BatchSize {
  readonly #timers: Pick<Timers, 'elapsed'>
  readonly #bounds: Bounds
  #size: number

  constructor(timers: Pick<Timers, 'elapsed'>, bounds: Bounds) {
    this.#timers = timers
    this.#bounds = bounds
    this.#size = bounds.first
  }

  async measure<Result>(batch: (size: number) => Promise<Result>): Promise<Result> {
    const { least, most, aim } = this.#bounds
    const from = this.#timers.elapsed()
    const result = await batch(this.#size)
    const took = this.#timers.elapsed() - from
    // Grows carefully: the next batch may be the one that meets a busy disk.
    const factor = Math.min(1.5, Math.max(0.3, aim / Math.max(1, took)))
    this.#size = Math.round(Math.min(most, Math.max(least, this.#size * factor)))
    return result
  }
}
