import type { Logger } from 'pino'
import { isAway, isEnded } from '../database/away.ts'
import type { Absence } from '../database/postgres/pool.ts'
import { systemTimers, type Timers } from '../flow/timers.ts'
import { findCause } from './causes.ts'

const minute = 60_000
/** Milliseconds that the database must have been back before that is told: what failed last is counted with the rest. */
const settled = 3000

/**
 * Says that the database is away once, then once a minute how much failed for it, and that it is back. An absence that
 * follows another within a minute is told of with the next count only, so that a database that comes and goes writes no
 * more than one that is gone.
 */
export class AbsenceLog implements Absence {
  readonly #timers: Timers
  #log: Logger | undefined
  #failures = 0
  #reason: string | undefined
  #isToldBack = false
  /** Set from the first line of an absence until a minute without any. */
  #cancelTold: (() => void) | undefined
  #cancelReturn: (() => void) | undefined

  constructor(timers: Timers = systemTimers) {
    this.#timers = timers
  }

  writeTo(log: Logger): void {
    this.#log = log
  }

  begin(error: Error): void {
    this.#stay()
    this.#reason ??= error.message
    if (this.#cancelTold) return
    this.#log?.error(
      { reason: error.message },
      'the database cannot be reached: requests are refused until it is back',
    )
    this.#tellLater()
  }

  /** Whether something that is about to be logged failed for the absence alone: then it is only counted. */
  counts(entry: unknown): boolean {
    const error = findCause(entry, isAway)
    if (!error) return false
    if (isEnded(error)) return true
    if (!this.#cancelTold) this.begin(error)
    this.#failures++
    return true
  }

  end(): void {
    if (this.#reason === undefined || this.#cancelReturn) return
    this.#cancelReturn = this.#timers.later(settled, () => this.#return())
  }

  [Symbol.dispose](): void {
    this.#cancelTold?.()
    this.#stay()
  }

  #stay(): void {
    this.#cancelReturn?.()
    this.#cancelReturn = undefined
  }

  #return(): void {
    this.#reason = undefined
    this.#cancelReturn = undefined
    if (this.#isToldBack) return
    this.#isToldBack = true
    this.#log?.info({ failures: this.#take() }, 'the database is back')
  }

  #tellLater(): void {
    this.#cancelTold = this.#timers.later(minute, () => this.#tell())
  }

  #tell(): void {
    this.#cancelTold = undefined
    this.#isToldBack = false
    if (this.#reason !== undefined) this.#tellLater()
    if (this.#cancelReturn || (this.#reason === undefined && this.#failures === 0)) return
    const told =
      this.#reason === undefined
        ? 'the database could not be reached, and is back'
        : 'the database still cannot be reached'
    this.#log?.warn({ reason: this.#reason, failures: this.#take() }, told)
  }

  #take(): number {
    const failures = this.#failures
    this.#failures = 0
    return failures
  }
}
