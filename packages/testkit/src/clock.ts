import { formatInstant } from '@gatehouse-access/core'
import type { Clock } from '@gatehouse-access/server'

/**
 * A clock that a test moves. It starts at the current time, and each reading advances it by a microsecond.
 */
export class ManualClock implements Clock {
  #now = formatInstant(Temporal.Now.instant())

  now(): string {
    this.#now = formatInstant(Temporal.Instant.from(this.#now).add({ microseconds: 1 }))
    return this.#now
  }

  set(timestamp: string): void {
    this.#now = formatInstant(Temporal.Instant.from(timestamp))
  }

  advance(seconds: number): void {
    const milliseconds = Math.round(seconds * 1000)
    this.#now = formatInstant(Temporal.Instant.from(this.#now).add({ milliseconds }))
  }
}
