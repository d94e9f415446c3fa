import { findOpenTimes } from './open-times.ts'
import type { Site } from './places.ts'
import type { Schedule } from './schedules.ts'

/** An instant at which a schedule opens or closes at a site, compared with the instant before. */
export interface Turn {
  at: number
  event: 'enter' | 'exit'
}

/**
 * Returns the last turn in (`after`, `until`]; null if there is none. Times that follow each other without a
 * gap are one, so an end at the instant of a start is no turn.
 */
export function latestTurn(schedule: Schedule, site: Site, after: number, until: number): Turn | null {
  const last = findOpenTimes(schedule, site, after, until + 1).at(-1)
  if (last === undefined) return null
  if (last.until <= until) return { at: last.until, event: 'exit' }
  return last.from > after ? { at: last.from, event: 'enter' } : null
}
