import { invalid, longestPreview } from '@gatehouse-access/api'
import { dateOfDay, dayOfDate } from '@gatehouse-access/core'

interface Asked {
  readonly from?: string
  readonly to?: string
}

export interface DateRange {
  readonly from: string
  readonly to: string
}

/** Reads a range of local dates, which begins today at the site if nothing else is said. */
export function readDates({ from, to }: Asked, now: string, timezone: string, usual: number): DateRange {
  const first = from ?? todayIn(timezone, now)
  const last = to ?? dateOfDay(dayOfDate(first) + usual - 1)
  const length = dayOfDate(last) - dayOfDate(first) + 1
  if (length < 1) throw invalid('to', `to ${last} must not be before from ${first}`)
  if (length > longestPreview)
    throw invalid('to', `${first} to ${last} is ${length} days; at most ${longestPreview} are shown at once`)
  return { from: first, to: last }
}

/** A zone that the runtime does not know has no dates of its own. */
function todayIn(timezone: string, now: string): string {
  try {
    return Temporal.Instant.from(now).toZonedDateTimeISO(timezone).toPlainDate().toString()
  } catch {
    return now.slice(0, 10)
  }
}
