import { t } from '../language/t.ts'
import { formatDate } from '../parts/dates.ts'
import { hoursWords, wholeDay } from './day-words.ts'
import type { PreviewDay } from './schedule.ts'
import type { Range } from './slots.ts'
import { clockText } from './times-text.ts'

/** Part of a timeline, in seconds from the midnight at which it begins. */
export interface Bar {
  readonly from: number
  readonly until: number
  readonly source: PreviewDay['source']
}

/** Returns the times of some days as bars. What goes on over midnight is one bar. */
export function barsOf(days: readonly PreviewDay[]): readonly Bar[] {
  const bars: Bar[] = []
  for (const [index, { ranges, source }] of days.entries())
    for (const { start, end } of sorted(ranges)) {
      const [from, until] = [index * wholeDay + start, index * wholeDay + end]
      const last = bars.at(-1)
      if (last?.until === from) bars[bars.length - 1] = { ...last, until }
      else bars.push({ from, until, source })
    }
  return bars
}

/**
 * Returns the times of a day in words. A night is told as one: `20:00 to 02:00 on Fri`, and on the day after
 * `until 02:00`.
 */
export function timesWords(days: readonly PreviewDay[], index: number): string {
  const [before, day, after] = [days[index - 1], days[index], days[index + 1]]
  const ranges = sorted(day?.ranges ?? [])
  const began = before && nightOf(sorted(before.ranges), ranges)
  const begins = after && nightOf(ranges, sorted(after.ranges))
  const middle = ranges.slice(began ? 1 : 0, begins ? -1 : undefined)
  const parts = [
    ...(began ? [`${t('until')} ${clockText(began.end)}`] : []),
    ...(middle.length > 0 ? [hoursWords(middle)] : []),
    ...(begins
      ? [
          t(
            `${clockText(begins.start)} to ${clockText(begins.end)} on ${formatDate(after.date, 'short').slice(0, 3)}`,
          ),
        ]
      : []),
  ]
  return parts.join(t(' and ')) || hoursWords(ranges)
}

/** Returns the night between two days, if it is shorter than a day: a door that is never closed has none. */
function nightOf(ranges: readonly Range[], next: readonly Range[]): Range | undefined {
  const [last, first] = [ranges.at(-1), next[0]]
  if (last?.end !== wholeDay || first?.start !== 0 || first.end >= last.start) return undefined
  return { start: last.start, end: first.end }
}

function sorted(ranges: readonly Range[]): readonly Range[] {
  return [...ranges].sort((a, b) => a.start - b.start)
}
