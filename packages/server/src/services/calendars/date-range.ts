import { invalid, longestPreview } from '@gatehouse-access/api'
import { dateOfDay, dayOfDate } from '@gatehouse-access/core'
import type { Work } from '../objects/context.ts'

interface Asked {
  readonly from?: string
  readonly to?: string
}

export interface DateRange {
  readonly from: string
  readonly to: string
}

const lastDate = '9999-12-31'

/** Reads a range of local dates, which begins today at the site if nothing else is said. */
export function readDates({ from, to }: Asked, today: string, usual: number): DateRange {
  const first = from ?? today
  const last = to ?? dateOfDay(Math.min(dayOfDate(first) + usual - 1, dayOfDate(lastDate)))
  const length = dayOfDate(last) - dayOfDate(first) + 1
  if (length < 1) throw invalid('to', `to ${last} must not be before from ${first}`)
  if (length > longestPreview)
    throw invalid('to', `${first} to ${last} is ${length} days; at most ${longestPreview} are shown at once`)
  return { from: first, to: last }
}

/** Returns the date at a site by the zone data of the service. */
export function todayAt({ context, now }: Work, { timezone }: { readonly timezone: string }): string {
  return new Date(Date.parse(now) + context.zones.offsetAt(timezone, now) * 1000).toISOString().slice(0, 10)
}
