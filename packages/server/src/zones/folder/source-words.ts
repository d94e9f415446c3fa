import { dayNumber, daySeconds, daysInMonth, weekdayFrom, weekdayUpTo } from './year-days.ts'

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** A time of the day in the source files. `by` says which clock shows it. */
export interface ClockTime {
  readonly seconds: number
  readonly by: 'wall' | 'standard' | 'universal'
}

/** Returns the day, since 1970, that a word like `lastSun`, `Sun>=8` or `23` means in a month. */
export type MonthDay = (year: number, month: number) => number

/** Words may be cut as long as they stay unambiguous: `O`, `Oct` and `October` are the same. */
export function findWord(words: readonly string[], cut: string): number {
  const found = words.filter(word => word.startsWith(cut.toLowerCase()))
  if (cut === '' || found.length !== 1)
    throw new Error(`${JSON.stringify(cut)} is none of ${words.join(', ')}`)
  return words.indexOf(found[0] ?? '')
}

/** Counts from 1. */
export function parseMonth(word: string): number {
  return findWord(months, word) + 1
}

export function parseDay(word: string): MonthDay {
  const last = /^last-?([a-z]+)$/i.exec(word)
  if (last) return lastOfMonth(findWord(weekdays, last[1] ?? ''))
  const [whole, name = '', relation, text] = /^(?:([a-z]+)([<>])=)?(\d{1,2})$/i.exec(word) ?? []
  if (whole === undefined) throw new Error(`${JSON.stringify(word)} is no day of a month`)
  const day = Number(text)
  if (!relation) return (year, month) => dayNumber(year, month, day)
  const weekday = findWord(weekdays, name)
  const near = relation === '>' ? weekdayFrom : weekdayUpTo
  return (year, month) => near(dayNumber(year, month, day), weekday)
}

function lastOfMonth(weekday: number): MonthDay {
  return (year, month) => weekdayUpTo(dayNumber(year, month, daysInMonth(year, month)), weekday)
}

/** Returns the seconds of `-0:30`, `24` or `2:00`. A dash alone is zero. */
export function parseSeconds(word: string): number {
  if (word === '-') return 0
  const [whole, sign, hours, minutes = 0, seconds = 0] =
    /^(-?)(\d{1,3})(?::(\d{1,2})(?::(\d{1,2}))?)?$/.exec(word) ?? []
  if (whole === undefined) throw new Error(`${JSON.stringify(word)} is no time`)
  return (sign ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const clocks: { readonly [letter: string]: ClockTime['by'] } = {
  w: 'wall',
  s: 'standard',
  u: 'universal',
  g: 'universal',
  z: 'universal',
}

export function parseClockTime(word: string): ClockTime {
  const letter = word.at(-1)?.toLowerCase() ?? ''
  const by = clocks[letter]
  return { seconds: parseSeconds(by ? word.slice(0, -1) : word), by: by ?? 'wall' }
}

/** Returns the instant, in seconds since 1970, at which a clock shows a time on a day. */
export function instantOf(day: number, { seconds, by }: ClockTime, standard: number, save: number): number {
  const offset = by === 'universal' ? 0 : by === 'standard' ? standard : standard + save
  return day * daySeconds + seconds - offset
}
