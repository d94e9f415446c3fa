import { countUpTo } from './bounds.ts'
import { indexOf } from './calendars.ts'
import type { Day } from './dates.ts'
import { isYearly, type KindDays } from './day-index.ts'
import type { ScheduleDays } from './schedule-days.ts'
import type { SiteDays } from './site-days.ts'

/** Some days in a row, of which those are marked that are not for every schedule as their weekday. */
export interface MarkedDays {
  first: Day
  marks: Uint8Array
  /** By kind. Many schedules react to the same few. */
  kinds: Map<string, Uint8Array>
}

export function createMarks(first: Day, length: number): MarkedDays {
  return { first, marks: new Uint8Array(length), kinds: new Map() }
}

/** Marks the days on which a schedule may have other times at a site than those of its weekdays. */
export function markDays(marked: MarkedDays, own: ScheduleDays, site: SiteDays): void {
  markBounds(marked, marked.marks, own.exceptions)
  if (own.kinds.length === 0 || site.calendars.length === 0) return
  for (const kind of own.kinds) addMarks(marked.marks, kindMarks(marked, kind, site))
  if (site.until < marked.first + marked.marks.length)
    marked.marks.fill(1, Math.max(0, site.until + 1 - marked.first))
}

export function isMarked({ first, marks }: MarkedDays, day: Day): boolean {
  return marks[day - first] === 1
}

/** Returns the first marked day after the given one; Infinity if there is none. */
export function nextMarked({ first, marks }: MarkedDays, day: Day): Day {
  const place = marks.indexOf(1, day - first + 1)
  return place < 0 ? Infinity : first + place
}

/** Returns the last day of the marked ones in a row that the given one begins. */
export function lastMarked({ first, marks }: MarkedDays, day: Day): Day {
  const place = marks.indexOf(0, day - first + 1)
  return (place < 0 ? first + marks.length : first + place) - 1
}

function addMarks(marks: Uint8Array, others: Uint8Array): void {
  for (let place = 0; place < marks.length; place++) (marks[place] as number) |= others[place] as number
}

function kindMarks(marked: MarkedDays, kind: string, site: SiteDays): Uint8Array {
  const known = marked.kinds.get(kind)
  if (known !== undefined) return known
  const marks = new Uint8Array(marked.marks.length)
  for (const calendar of site.calendars) {
    const days = calendar.is_living ? indexOf(calendar).get(kind) : undefined
    if (days !== undefined) markKind(marked, marks, days)
  }
  marked.kinds.set(kind, marks)
  return marks
}

function markKind(marked: MarkedDays, marks: Uint8Array, days: KindDays): void {
  markBounds(marked, marks, days.spans)
  if (days.yearly.length > 0)
    for (let place = 0; place < marks.length; place++)
      if (isYearly(days, marked.first + place)) marks[place] = 1
}

function markBounds({ first }: MarkedDays, marks: Uint8Array, bounds: Int32Array): void {
  const last = first + marks.length
  // An odd count means that the range of the bound before is not over yet.
  const count = countUpTo(bounds, first)
  for (let index = count - (count % 2); index < bounds.length && (bounds[index] as number) < last; index += 2)
    marks.fill(1, Math.max(0, (bounds[index] as number) - first), (bounds[index + 1] as number) - first)
}
