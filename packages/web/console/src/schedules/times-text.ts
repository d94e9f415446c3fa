import { findWeekdayProblem } from '@gatehouse-access/core'
import { t } from '../language/t.ts'
import type { Range, Weekday } from './slots.ts'

/** Returns `08:00-12:00, 13:30-18:00`. Includes seconds only if they are not zero. */
export function timesText({ ranges }: Weekday): string {
  return ranges.map(({ start, end }) => `${clockText(start)}-${clockText(end)}`).join(', ')
}

/** A day whose last times may go on after midnight. */
export interface Night extends Weekday {
  /** When they end on the day after, in seconds. 0 if they do not go on. */
  readonly until: number
}

/** Returns the same as text: `22:00-06:00` for a night. */
export function nightText({ ranges, until }: Night): string {
  const last = ranges.at(-1)
  const goes_on = last?.end === dayEnd && last.start > until
  return timesText({ ranges: goes_on ? [...ranges.slice(0, -1), { start: last.start, end: until }] : ranges })
}

/** Returns the parsed day, `22:00-06:00` as a night, or a message that says what is wrong with the text. */
export function parseNight(text: string): Night | string {
  const ranges = parseRanges(text)
  if (typeof ranges === 'string') return ranges
  const nights = ranges.filter(({ start, end }) => end < start)
  const own = ranges.map(({ start, end }) => ({ start, end: end < start ? dayEnd : end }))
  return problemOf(own) ?? { ranges: own, until: Math.max(0, ...nights.map(({ end }) => end)) }
}

/** Returns the week with what goes on after midnight added to the day after. */
export function addMorning(weekdays: readonly Weekday[], day: number, until: number): readonly Weekday[] {
  const next = (day + 1) % weekdays.length
  return weekdays.with(next, { ranges: joinMorning(weekdays[next]?.ranges ?? [], until) })
}

/** Returns the times of a day with what goes on from the night before. */
export function joinMorning(ranges: readonly Range[], until: number): readonly Range[] {
  if (until === 0) return ranges
  const begun = ranges.filter(({ start }) => start <= until)
  const end = Math.max(until, ...begun.map(({ end }) => end))
  return [{ start: 0, end }, ...ranges.filter(({ start }) => start > until)]
}

const dayEnd = 86_400

function parseRanges(text: string): Range[] | string {
  const ranges: Range[] = []
  for (const part of text.split(/[,;]/).map(part => part.trim())) {
    if (part === '') continue
    const range = parseRange(part)
    if (typeof range === 'string') return range
    ranges.push(range)
  }
  return ranges.sort((a, b) => a.start - b.start)
}

function parseRange(part: string): Range | string {
  const match = /^([\d:.]+)\s*(?:-|–|to)\s*([\d:.]+)$/.exec(part)
  const [start, end] = [parseClock(match?.[1]), parseClock(match?.[2])]
  if (start === undefined || end === undefined) return t(`“${part}” is not a time range like 08:00-18:00`)
  return { start, end }
}

function parseClock(text = ''): number | undefined {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.](\d{2}))?$/.exec(text)
  if (!match) return undefined
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)]
  const total = hours * 3600 + minutes * 60 + seconds
  return minutes < 60 && seconds < 60 && total <= 86_400 ? total : undefined
}

/** Applies the service's rule, and words the problem in clock times. */
function problemOf(ranges: readonly Range[]): string | undefined {
  if (!findWeekdayProblem([{ ranges: [...ranges] }])) return undefined
  const turned = ranges.find(({ start, end }) => end <= start)
  if (turned)
    return t(
      `${clockText(turned.start)}-${clockText(turned.end)} ends before it starts. This day ends at 24:00`,
    )
  const later = ranges.findIndex((range, index) => range.start < (ranges[index - 1]?.end ?? 0))
  const [one, other] = [ranges.slice(later, later + 1), ranges.slice(later - 1, later)]
  return t(`${timesText({ ranges: one })} overlaps ${timesText({ ranges: other })}`)
}

export function clockText(seconds: number): string {
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = seconds % 60 === 0 ? '' : `:${pad(seconds % 60)}`
  return `${pad(seconds / 3600)}:${pad((seconds % 3600) / 60)}${rest}`
}
