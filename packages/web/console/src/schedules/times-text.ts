import { findWeekdayProblem } from '@gatehouse-access/core'
import type { Range, Weekday } from './slots.ts'

/** Returns `08:00-12:00, 13:30-18:00`. Includes seconds only if they are not zero. */
export function timesText({ ranges }: Weekday): string {
  return ranges.map(({ start, end }) => `${clockText(start)}-${clockText(end)}`).join(', ')
}

/** Returns the parsed day, or a message that says what is wrong with the text. */
export function parseTimes(text: string): Weekday | string {
  const ranges: Range[] = []
  for (const part of text.split(/[,;]/).map(part => part.trim())) {
    if (part === '') continue
    const range = parseRange(part)
    if (typeof range === 'string') return range
    ranges.push(range)
  }
  ranges.sort((a, b) => a.start - b.start)
  return problemOf(ranges) ?? { ranges }
}

function parseRange(part: string): Range | string {
  const match = /^([\d:.]+)\s*(?:-|–|to)\s*([\d:.]+)$/.exec(part)
  const [start, end] = [parseClock(match?.[1]), parseClock(match?.[2])]
  if (start === undefined || end === undefined) return `“${part}” is not a time range like 08:00-18:00`
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
    return `${clockText(turned.start)}-${clockText(turned.end)} ends before it starts. To go past midnight, split it across two days`
  const later = ranges.findIndex((range, index) => range.start < (ranges[index - 1]?.end ?? 0))
  return `${timesText({ ranges: ranges.slice(later, later + 1) })} overlaps ${timesText({ ranges: ranges.slice(later - 1, later) })}`
}

export function clockText(seconds: number): string {
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = seconds % 60 === 0 ? '' : `:${pad(seconds % 60)}`
  return `${pad(seconds / 3600)}:${pad((seconds % 3600) / 60)}${rest}`
}
