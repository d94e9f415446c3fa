import type { Step } from '../course.ts'
import { dayNumber, daySeconds, daysInMonth, weekdayFrom, weekdayUpTo } from './year-days.ts'

/** The rule at the end of a compiled zone file: what holds after its last change, such as `CET-1CEST,M3.5.0,M10.5.0/3`. */
export interface PosixRule {
  readonly offset: number
  readonly summer?: { readonly offset: number; readonly starts: YearTime; readonly ends: YearTime }
}

/** A local time that comes every year. */
interface YearTime {
  dayOf(year: number): number
  /** Seconds after the beginning of that day. */
  readonly time: number
}

const name = '(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)'
const clock = '[+-]?\\d{1,3}(?::\\d{1,2}(?::\\d{1,2})?)?'
const shape = new RegExp(`^${name}(${clock})(?:${name}(${clock})?,([^,]+),([^,]+))?$`)

/** Returns undefined for a text that is no such rule. */
export function parsePosixRule(text: string): PosixRule | undefined {
  const [, standard, summer, start, end] = shape.exec(text) ?? []
  if (standard === undefined) return undefined
  // Offsets are written as seconds west of Greenwich.
  const offset = -parseClock(standard)
  if (start === undefined || end === undefined) return { offset }
  const starts = parseYearTime(start)
  const ends = parseYearTime(end)
  if (!starts || !ends) return undefined
  return { offset, summer: { offset: summer ? -parseClock(summer) : offset + 3600, starts, ends } }
}

/** Returns the changes of offset in some years, the last one included. */
export function ruleSteps({ offset, summer }: PosixRule, first: number, last: number): Step[] {
  if (!summer) return []
  const steps: Step[] = []
  for (let year = first; year <= last; year++)
    steps.push(
      { at: localSecond(summer.starts, year) - offset, offset: summer.offset },
      { at: localSecond(summer.ends, year) - summer.offset, offset },
    )
  // The sort is stable: summer time that ends and starts at one instant lasts all year.
  return steps.sort((a, b) => a.at - b.at)
}

function localSecond({ dayOf, time }: YearTime, year: number): number {
  return dayOf(year) * daySeconds + time
}

const dayShape = /^(?:M(\d{1,2})\.([1-5])\.([0-6])|J(\d{1,3})|(\d{1,3}))(?:\/(.+))?$/

function parseYearTime(text: string): YearTime | undefined {
  const [whole, month, week, weekday, julian, index, clockText = '2'] = dayShape.exec(text) ?? []
  if (whole === undefined || !new RegExp(`^${clock}$`).test(clockText)) return undefined
  const time = parseClock(clockText)
  if (julian !== undefined) return { dayOf: year => julianDay(year, Number(julian)), time }
  if (index !== undefined) return { dayOf: year => dayNumber(year, 1, 1) + Number(index), time }
  return { dayOf: year => weekdayOfMonth(year, Number(month), Number(week), Number(weekday)), time }
}

/** Week 5 is the last one. */
function weekdayOfMonth(year: number, month: number, week: number, weekday: number): number {
  if (week === 5) return weekdayUpTo(dayNumber(year, month, daysInMonth(year, month)), weekday)
  return weekdayFrom(dayNumber(year, month, 1), weekday) + 7 * (week - 1)
}

/** Counts from 1 and never counts 29 February. */
function julianDay(year: number, day: number): number {
  const isAfterLeapDay = daysInMonth(year, 2) === 29 && day >= 60
  return dayNumber(year, 1, 1) + day - (isAfterLeapDay ? 0 : 1)
}

function parseClock(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number)
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
}
