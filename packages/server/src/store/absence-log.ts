import type { Logger } from 'pino'
import { isAway } from './away.ts'
import type { Absence } from './postgres/pool.ts'

const minute = 60_000

/**
 * Says that the database is away once, then once a minute how much failed for it, and that it is back. An absence that
 * follows another within a minute is told of with the next count only, so that a database that comes and goes writes no
 * more than one that is gone.
 */
export class AbsenceLog implements Absence {
  #log: Logger | undefined
  #failures = 0
  #reason: string | undefined
  #isToldBack = false
  #timer: NodeJS.Timeout | undefined

  writeTo(log: Logger): void {
    this.#log = log
  }

  begin(error: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = error.message
    if (this.#timer) return
    this.#log?.error({ reason: error.message }, 'the database is away: requests are refused until it is back')
    this.#timer = setInterval(() => this.#tell(), minute).unref()
  }

  /** Whether something that is about to be logged failed for the absence alone: then it is only counted. */
  counts(entry: unknown): boolean {
    const error = absenceOf(entry)
    if (!error) return false
    this.begin(error)
    this.#failures++
    return true
  }

  end(): void {
    if (this.#reason === undefined) return
    this.#reason = undefined
    if (this.#isToldBack) return
    this.#isToldBack = true
    this.#log?.info({ failures: this.#take() }, 'the database is back')
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #tell(): void {
    const failures = this.#take()
    const told =
      this.#reason === undefined ? 'the database was away, and is back' : 'the database is still away'
    if (this.#reason !== undefined || failures > 0) this.#log?.warn({ reason: this.#reason, failures }, told)
    this.#isToldBack = false
    if (this.#reason !== undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #take(): number {
    const failures = this.#failures
    this.#failures = 0
    return failures
  }
}

function absenceOf(entry: unknown): Error | undefined {
  const { err = entry } = (entry ?? {}) as { err?: unknown }
  for (let error = err; error instanceof Error; error = error.cause) if (isAway(error)) return error
  return undefined
}
