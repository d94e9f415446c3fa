import type { Weekday } from './slots.ts'

export interface Opening {
  readonly from: string
  readonly to: string
}

/** The next moment at which the clocks of a zone change; null: within a year they do not. */
export function nextClockChange(zone: string, now: Temporal.Instant): Temporal.ZonedDateTime | null {
  const next = now.toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  const limit = now.add({ hours: 24 * 370 })
  return next && Temporal.Instant.compare(next.toInstant(), limit) < 0 ? next : null
}

/**
 * The openings of the three days around a moment, as instants: wall-clock seconds that are skipped never occur, and those
 * that come twice count twice, so the end of a range is where the wall clock first reaches it after its start.
 */
export function openingsAround(weekdays: readonly Weekday[], around: Temporal.ZonedDateTime): Opening[] {
  return [-1, 0, 1].flatMap(offset => {
    const date = around.toPlainDate().add({ days: offset })
    const ranges = weekdays[date.dayOfWeek - 1]?.ranges ?? []
    return ranges.map(({ start, end }) => ({ from: at(date, start, around), to: at(date, end, around) }))
  })
}

function at(date: Temporal.PlainDate, seconds: number, { timeZoneId }: Temporal.ZonedDateTime): string {
  const day = seconds === 86_400 ? date.add({ days: 1 }) : date
  const time = Temporal.PlainTime.from({ hour: 0 }).add({ seconds: seconds % 86_400 })
  return day.toZonedDateTime({ timeZone: timeZoneId, plainTime: time }).toString({ smallestUnit: 'minute' })
}
