import { fromMicroseconds, openTimes } from '@gatehouse-access/core'
import type { Weekday } from './slots.ts'

export interface ClockChange {
  readonly at: Temporal.Instant
  /** Positive when the clocks go forward. */
  readonly minutes: number
  readonly wall_before: string
  readonly wall_after: string
}

/** Returns the next clock change of a zone, or undefined if there is none within a year. */
export function nextClockChange(zone: string, now: Temporal.Instant): ClockChange | undefined {
  const after = now.toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  if (!after || Temporal.Instant.compare(after.toInstant(), now.add({ hours: 24 * 366 })) > 0)
    return undefined
  const before = after.subtract({ nanoseconds: 1 })
  const minutes = (after.offsetNanoseconds - before.offsetNanoseconds) / 60e9
  const wall_before = after.toPlainDateTime().subtract({ minutes }).toPlainTime()
  return {
    at: after.toInstant(),
    minutes,
    wall_before: clock(wall_before),
    wall_after: clock(after.toPlainTime()),
  }
}

export interface Opening {
  readonly from: Temporal.ZonedDateTime
  readonly until: Temporal.ZonedDateTime
}

export interface PreviewDay {
  readonly date: Temporal.PlainDate
  readonly openings: readonly Opening[]
  readonly planned_minutes: number
  readonly actual_minutes: number
}

/**
 * Returns the day of the change and the days before and after it, with the hours that the service would
 * apply.
 */
export function previewDays(weekdays: readonly Weekday[], zone: string, change: ClockChange): PreviewDay[] {
  const middle = change.at.toZonedDateTimeISO(zone).toPlainDate()
  return [-1, 0, 1].map(offset => previewDay(weekdays, zone, middle.add({ days: offset })))
}

function previewDay(weekdays: readonly Weekday[], zone: string, date: Temporal.PlainDate): PreviewDay {
  const [from, until] = [date, date.add({ days: 1 })].map(
    day => day.toZonedDateTime(zone).epochMilliseconds * 1000,
  ) as [number, number]
  const times = openTimes({ weekdays }, { timezone: zone }, from, until)
  const planned = weekdays[date.dayOfWeek - 1]?.ranges ?? []
  return {
    date,
    openings: times.map(time => ({ from: local(time.from, zone), until: local(time.until, zone) })),
    planned_minutes: planned.reduce((sum, { start, end }) => sum + (end - start) / 60, 0),
    actual_minutes: times.reduce((sum, time) => sum + (time.until - time.from) / 60e6, 0),
  }
}

function local(microseconds: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(fromMicroseconds(microseconds)).toZonedDateTimeISO(zone)
}

export function clock(time: Temporal.PlainTime): string {
  return time.toString({ smallestUnit: 'minute' })
}
