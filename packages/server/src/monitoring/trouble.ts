import type { Logger } from 'pino'
import { isCommon } from '../database/away.ts'
import { findCause } from './causes.ts'

const gapBetweenLines = 60_000

type Log = Pick<Logger, 'info' | 'warn'>

/** Logs a recurring problem: a line when it starts, one a minute with the count, and one at its end. */
export class Trouble {
  readonly #log: Log
  readonly #what: string
  #unsaid = 0
  #saidAt = Number.NEGATIVE_INFINITY
  #isOn = false

  constructor(log: Log, what: string) {
    this.#log = log
    this.#what = what
  }

  met(error: unknown, details: object = {}, now = performance.now()): void {
    // The log itself counts these errors and reports their end, for all callers together.
    if (findCause(error, isCommon)) return void this.#log.warn({ err: error }, this.#what)
    this.#isOn = true
    this.#unsaid++
    if (now - this.#saidAt < gapBetweenLines) return
    this.#log.warn({ err: error, times: this.#unsaid, ...details }, this.#what)
    this.#saidAt = now
    this.#unsaid = 0
  }

  over(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#log.info({ times: this.#unsaid }, `${this.#what}: over`)
    this.#saidAt = Number.NEGATIVE_INFINITY
    this.#unsaid = 0
  }
}

const shortestPause = 250
const longestPause = 30_000

/** Milliseconds to wait after this many failures in a row. */
export function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(longestPause, shortestPause * 2 ** Math.min(failures - 1, 10))
}
