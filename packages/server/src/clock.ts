import { formatInstant } from '@gatehouse/core'

/** Time as a service: everything that asks what time it is gets this, so that tests can set it. */
export interface Clock {
  /** Now, UTC, in microseconds. */
  now(): string
}

export const systemClock: Clock = { now: () => formatInstant(Temporal.Now.instant()) }
