import type { Logger } from 'pino'
import { isAway, isEnded } from '../database/away.ts'
import type { Absence } from '../database/postgres/pool.ts'
import { systemTimers, type Timers } from '../flow/timers.ts'
import { findCause } from './causes.ts'

const minute = 60_000
/** Milliseconds the database must be back before that is logged, so that late failures still count. */
const settled = 3000

/**
 * Logs once that the database is away, then the number of failures once a minute, and that it is back. An
 * absence within a minute of another only adds to the next count, so that a flapping database logs no more
 * than a database that is gone.
 */
export class AbsenceLog implements Absence {
  readonly #timers: Timers
  #log: Logger | undefined
  #failures = 0
  #reason: string | undefined
  #isToldBack = false
  /** Set from the first line of an absence until a minute without absence. */
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

  /** Returns true if an entry failed only because of the absence. It is then counted instead of logged. */
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
