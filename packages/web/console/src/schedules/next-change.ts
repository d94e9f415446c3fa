import type { ZoneTable } from '@gatehouse-access/core'
import { t } from '../language/t.ts'
import { addDays } from '../parts/dates.ts'
import { localClock, localDate, offsetAt, offsetText } from '../parts/local-clock.ts'
import type { PreviewDay } from './schedule.ts'

export interface ClockChange {
  readonly date: string
  readonly is_forward: boolean
  readonly wall_before: string
  readonly wall_after: string
}

/** Returns the next clock change of a zone, or undefined if there is none within a year. */
export function nextClockChange(table: ZoneTable, now: number): ClockChange | undefined {
  const next = table.changes.find(({ at }) => Date.parse(at) > now)
  if (!next || Date.parse(next.at) > now + 366 * 86_400_000) return undefined
  const at = Date.parse(next.at)
  const before = offsetAt(table, at - 1)
  const wall_before = new Date(at + before * 1000).toISOString().slice(11, 16)
  return {
    date: localDate(table, at),
    is_forward: next.offset > before,
    wall_before,
    wall_after: localClock(table, at),
  }
}

/** Returns the day of the change and the days before and after it. */
export function daysAround(days: readonly PreviewDay[], { date }: ClockChange): readonly PreviewDay[] {
  const [from, to] = [addDays(date, -1), addDays(date, 1)]
  return days.filter(day => day.date >= from && day.date <= to)
}

export interface Opening {
  readonly from: string
  /** Midnight at the end of the day is 24:00. */
  readonly until: string
  /** `+01:00`, or `+01:00 to +02:00` if the clocks change meanwhile. */
  readonly offset: string
}

/** Returns when a day is open by the clock on the wall. */
export function openingsOf({ date, open }: PreviewDay, table: ZoneTable): readonly Opening[] {
  return open.map(({ from, until }) => {
    const [start, end] = [Date.parse(from), Date.parse(until)]
    const [first, last] = [offsetText(offsetAt(table, start)), offsetText(offsetAt(table, end))]
    return {
      from: localClock(table, start),
      until: localDate(table, end) === date ? localClock(table, end) : '24:00',
      offset: first === last ? first : t(`${first} to ${last}`),
    }
  })
}

/** Returns the minutes that the ranges of a day promise, and those that it is open. */
export function minutesOf({ ranges, open }: PreviewDay): { planned: number; actual: number } {
  return {
    planned: ranges.reduce((sum, { start, end }) => sum + (end - start) / 60, 0),
    actual: open.reduce((sum, { from, until }) => sum + (Date.parse(until) - Date.parse(from)) / 60_000, 0),
  }
}
