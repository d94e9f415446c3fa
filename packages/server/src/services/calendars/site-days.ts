import type { SiteDays } from '@gatehouse-access/api'
import { calendarDayOf, covers, dateOfDay, dayOfDate, type Steps } from '@gatehouse-access/core'
import { inSlices, longestAnswer } from '../../flow/slices.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'
import { type DateRange, readDates, todayAt } from './date-range.ts'
import { type ObservedDay, observedDays } from './observed-days.ts'

const usual = 366
const most = 100

/** `GET /sites/{id}/days`: the special dates of a site, with what makes them special. */
export async function listSiteDays({ work, target, id, query }: InputOf<'site', 'days'>): Promise<SiteDays> {
  const site = await getObject(work, target, id)
  const dates = readDates(query, todayAt(work, site), usual)
  const special = new SpecialDates(dates, site.calendar_ids)
  for await (const rows of observedDays(work, site.calendar_ids, dates))
    await inSlices(work.caller.organization_id, special.add(rows), longestAnswer)
  return { timezone: site.timezone, data: special.list() }
}

interface SpecialDate {
  readonly kinds: Set<string>
  readonly days: ObservedDay[]
}

/** Collects what falls on each date. A calendar of stretches can fill every date, so each has a bound. */
class SpecialDates {
  readonly #first: number
  readonly #last: number
  readonly #order: ReadonlyMap<string, number>
  readonly #dates = new Map<number, SpecialDate>()

  constructor({ from, to }: DateRange, calendarIds: readonly string[]) {
    this.#first = dayOfDate(from)
    this.#last = dayOfDate(to)
    this.#order = new Map(calendarIds.map((id, place) => [id, place]))
  }

  *add(rows: readonly ObservedDay[]): Steps<void> {
    for (const row of rows) {
      const own = calendarDayOf(row)
      for (let day = this.#first; day <= this.#last; day++) if (covers(own, day)) this.#put(day, row)
      yield
    }
  }

  #put(day: number, row: ObservedDay): void {
    const date = this.#dates.get(day) ?? { kinds: new Set(), days: [] }
    this.#dates.set(day, date)
    if (date.kinds.size < most) date.kinds.add(row.kind)
    if (date.days.length < most) date.days.push(row)
  }

  list(): SiteDays['data'] {
    return [...this.#dates]
      .sort(([a], [b]) => a - b)
      .map(([day, { kinds, days }]) => ({
        date: dateOfDay(day),
        kinds: [...kinds].sort(),
        days: days
          .toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b))
          .map(({ id, calendar_id, kind, name }) => ({ calendar_day_id: id, calendar_id, kind, name })),
      }))
  }

  #placeOf({ calendar_id }: ObservedDay): number {
    return this.#order.get(calendar_id) ?? 0
  }
}
