import { locale } from '../language/languages.ts'

/** Dates and times as people type them, without a time zone: days come before months in all languages of the console. */

/** Returns `2026-11-14` for `14 Nov 2026`, `14.11.2026`, `14/11/26` or `2026-11-14`. Undefined if it is no date. */
export function readDate(text: string, language = locale): string | undefined {
  const [, ...iso] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? []
  if (iso.length > 0) return dateOf(iso)
  const [, day, month = '', year = ''] =
    /^(\d{1,2})[\s./-]+(?:de\s+)?(\d{1,2}|\p{L}+)[\s./,-]+(?:de\s+)?(\d{4}|\d{2})$/u.exec(text.trim()) ?? []
  if (!day) return undefined
  return dateOf([
    year.length === 2 ? `20${year}` : year,
    /\d/.test(month) ? month : monthOf(month, language),
    day,
  ])
}

/** Returns `09:30` for `9:30`, `9.30`, `9h30` or `9:30 am`. Undefined if it is no time. */
export function readClock(text: string): string | undefined {
  const [, hour = '', minute = '', half = ''] =
    /^(\d{1,2})[:.h](\d{2})(?::00)?\s*([ap]m)?$/i.exec(text.trim()) ?? []
  const [given, isLate] = [Number(hour), /p/i.test(half)]
  if (!hour || Number(minute) > 59 || given > (half ? 12 : 23) || (half && given === 0)) return undefined
  const hours = half ? (given % 12) + (isLate ? 12 : 0) : given
  return `${twoDigits(hours)}:${minute}`
}

/** Returns `2026-11-14T09:30` for a date and a time, with or without a comma. Undefined if one of them is missing. */
export function readMoment(text: string, language = locale): string | undefined {
  const [, first = '', last = ''] =
    /^(.+?)(?:,?\s+(?:à\s+|um\s+|at\s+)?|T)(\d{1,2}[:.h]\d{2}(?::00)?\s*(?:[ap]m)?)$/i.exec(text.trim()) ?? []
  const [date, clock] = [readDate(first, language), readClock(last)]
  return date && clock && `${date}T${clock}`
}

/** Undefined of a day that no calendar has. */
function dateOf(parts: readonly (string | number | undefined)[]): string | undefined {
  const [year = 0, month = 0, day = 0] = parts.map(Number)
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
  const parsed = Date.parse(date)
  const isReal = !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date)
  return isReal ? date : undefined
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Returns the number of a month by its name, or by what it begins with. Undefined if several do. */
function monthOf(name: string, language: string): number | undefined {
  const sought = plain(name)
  const [short, long] = [monthNames(language, 'short'), monthNames(language, 'long')]
  const exact = [short, long].map(names => names.indexOf(sought)).find(index => index >= 0)
  if (exact !== undefined) return exact + 1
  const begun = long.flatMap((month, index) => (month.startsWith(sought) ? [index + 1] : []))
  return sought.length >= 3 && begun.length === 1 ? begun[0] : undefined
}

/** Of a date, since some languages have other names for months that stand alone. */
function monthNames(language: string, month: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, index) => {
    const part = format.formatToParts(Date.UTC(2024, index, 1)).find(({ type }) => type === 'month')
    return plain(part?.value ?? '')
  })
}

/** Returns a name in lower case, without accents and dots. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLowerCase()
}
