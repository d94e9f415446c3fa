import { wholeDay } from './day-words.ts'
import type { Range } from './slots.ts'

interface Day {
  readonly ranges: readonly Range[]
}

/** Joins the evening of a day and the morning after, so that words can say `18:00 to 08:00`. */
export function joinNights(weekdays: readonly Day[]): readonly Day[] {
  const days = weekdays.map(({ ranges }) => ranges.toSorted((a, b) => a.start - b.start))
  const nights = days.map((ranges, index) => nightOf(ranges, days[(index + 1) % days.length] ?? []))
  return days.map((ranges, index) => {
    const night = nights[index]
    const is_morning_joined = nights.at(index - 1) !== undefined
    const own = ranges.slice(is_morning_joined ? 1 : 0, night ? -1 : undefined)
    return { ranges: night ? [...own, night] : own }
  })
}

/** A night is shorter than a day: what never ends has none. */
function nightOf(ranges: readonly Range[], next: readonly Range[]): Range | undefined {
  const [last, first] = [ranges.at(-1), next[0]]
  if (last?.end !== wholeDay || first?.start !== 0 || first.end >= last.start) return undefined
  return { start: last.start, end: first.end }
}
