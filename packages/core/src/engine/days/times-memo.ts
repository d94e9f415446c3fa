import type { Day } from './dates.ts'
import type { Edition } from './edition.ts'
import type { Times } from './schedule-days.ts'

/**
 * The times of the days that were last asked for at a site. Questions are mostly about today, and a holiday
 * of ten calendars takes ten lookups. Each place belongs to the schedule and day that were last put there.
 */
export interface TimesMemo {
  edition: number
  schedules: Int32Array
  days: Int32Array
  times: (Times | null)[]
}

const places = 256
const daysInARow = 8
const nobody = -1

/** Returns the place of a schedule's day. Eight days of 32 schedules in a row do not displace each other. */
export function placeOf(schedule: number, day: Day): number {
  return (schedule * daysInARow + (day & (daysInARow - 1))) & (places - 1)
}

export function createMemo(): TimesMemo {
  return {
    edition: nobody,
    schedules: new Int32Array(places).fill(nobody),
    days: new Int32Array(places),
    times: Array.from({ length: places }, () => null),
  }
}

/** Forgets everything if something changed. */
export function refreshMemo(memo: TimesMemo, { number }: Edition): void {
  if (memo.edition === number) return
  memo.schedules.fill(nobody)
  memo.edition = number
}
