import type { LocalMoments } from '@gatehouse-access/core'
import { RequestError } from '../errors.ts'
import type { Type } from '../kit/type.ts'
import { CellError, quoted, refuseCell } from './problems.ts'

/** What the times of a file go by. */
export interface TimeReading {
  /** Finds the moments of a local time. Undefined if no zone is known. */
  readonly moments: ((local: string) => LocalMoments) | undefined
  readonly is_day_first: boolean
}

/** A time, and whether clocks show it twice: then it is the first. */
export interface ReadTime {
  readonly at: string
  readonly is_twice: boolean
}

const isoDate = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const slashedDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const clockTime = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?$/
const withOffset = /^(.+?)\s*(Z|[+-]\d{2}:?\d{2})$/i
const expectedTime = 'a time like 2026-11-14 15:00, 14.11.2026 15:00 or 2026-11-14T15:00:00+01:00'

/**
 * Reads a time. One without an offset is of the wall clock in the zone. A date alone is the whole day: it begins
 * with its first moment and ends with its last.
 */
export function readTime(text: string, bound: 'start' | 'end', reading: TimeReading): ReadTime {
  const [, zoned, offset] = withOffset.exec(text) ?? []
  const isZoned = zoned !== undefined && offset !== undefined && /:/.test(zoned)
  const { date, time } = splitTime(isZoned ? zoned : text, text, reading)
  if (isZoned) return { at: withOffsetOf(`${date}T${time ?? '00:00:00'}`, offset, text), is_twice: false }
  const moments = reading.moments
  if (!moments)
    throw new CellError(
      `${quoted(text)} has no offset: give timezone, since the organization has several zones`,
    )
  if (time === undefined) return { at: wholeDay(date, bound, moments), is_twice: false }
  const [first, second] = moments(`${date}T${time}`)
  if (first === undefined)
    throw new CellError(
      `${quoted(text)} does not exist: clocks are set forward over it. Write a time before or after`,
    )
  return { at: first, is_twice: second !== undefined }
}

function splitTime(
  text: string,
  whole: string,
  reading: TimeReading,
): { date: string; time: string | undefined } {
  const [day = '', clock, ...more] = text.trim().split(/[T\s]+/i)
  const date = readDate(day, whole, reading.is_day_first)
  if (clock === undefined && more.length === 0) return { date, time: undefined }
  const [, hour = '', minute = '', second = '00'] = clockTime.exec(clock ?? '') ?? []
  if (hour === '' || more.length > 0 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return refuseCell(whole, expectedTime)
  return { date, time: `${hour.padStart(2, '0')}:${minute}:${second}` }
}

/** Returns the date as YYYY-MM-DD. */
export function readDate(text: string, whole: string, isDayFirst: boolean): string {
  const slashed = slashedDate.exec(text)
  if (slashed && !isDayFirst)
    throw new CellError(
      `${quoted(whole)} may be day or month first: write it like ${slashed[3]}-${pad(slashed[1])}-${pad(slashed[2])}`,
    )
  const iso = isoDate.exec(text)
  const local = dottedDate.exec(text) ?? slashed
  const [year, month, day] = iso ? iso.slice(1) : local ? [local[3], local[2], local[1]] : []
  const date = `${year}-${pad(month)}-${pad(day)}`
  return year !== undefined && exists(date) ? date : refuseCell(whole, expectedTime)
}

function pad(number = ''): string {
  return number.padStart(2, '0')
}

/** A day that the month does not have would roll over into the next month. */
function exists(date: string): boolean {
  const milliseconds = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(date)
}

function withOffsetOf(local: string, offset: string, whole: string): string {
  const milliseconds = Date.parse(`${local}${offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase()}`)
  if (Number.isNaN(milliseconds)) return refuseCell(whole, expectedTime)
  const fraction = /\.(\d+)/.exec(whole)?.[1] ?? ''
  return `${new Date(milliseconds).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

/** Some zones change their clocks at midnight: the day then begins an hour later. */
function wholeDay(date: string, bound: 'start' | 'end', moments: (local: string) => LocalMoments): string {
  const day = bound === 'start' ? date : nextDate(date)
  const [first] = [...moments(`${day}T00:00:00`), ...moments(`${day}T01:00:00`)]
  return first ?? refuseCell(date, 'a day of this zone')
}

function nextDate(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** A long number as spreadsheets show it: its last digits are lost. */
const brokenNumber = /^\d+([.,]\d+)?E\+\d+$/i

export function refuseBrokenNumber(text: string): void {
  if (brokenNumber.test(text))
    throw new CellError(
      `${quoted(text)} is a number that a spreadsheet has shortened: format the column as text and enter it again`,
    )
}

/** The most values of one cell, as many as a member can have groups. A cell may be long, and each value is looked up. */
export const mostInCell = 1000

/** Several values in a cell are separated by semicolons. */
export function readList(text: string): string[] {
  const values = [...new Set(text.split(';').map(entry => entry.trim()))].filter(entry => entry !== '')
  if (values.length > mostInCell)
    throw new CellError(`The cell has ${values.length} values, more than the ${mostInCell} that are possible`)
  return values
}

const yes = [
  'true',
  'yes',
  '1',
  'x',
  'ja',
  'wahr',
  'sí',
  'si',
  'verdadero',
  'oui',
  'vrai',
  'sì',
  'vero',
  'sim',
  'verdadeiro',
]
const no = ['false', 'no', '0', 'nein', 'falsch', 'falso', 'non', 'faux', 'não', 'nao']
const anew = ['new', 'neu', 'nuevo', 'nouveau', 'nuovo', 'novo', ...yes]

export function readFlag(text: string): boolean {
  const word = text.toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : refuseCell(text, 'true or false')
}

export function isNew(text: string): boolean {
  return anew.includes(text.toLowerCase())
}

/** Checks a value as the API does, and says what is wrong in its words. */
export function readAs<Value>(type: Type<Value>, text: string): Value {
  try {
    return type.parse(text, 'it')
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const expected = error.message.replace(/^it must be /, '').replace(/, not .*$/s, '')
    return refuseCell(text, expected)
  }
}
