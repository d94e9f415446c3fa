/**
 * Local dates are days since 1970-01-01 as plain numbers. Years start in March, so that the leap day comes
 * last: no other date has a place that depends on the year.
 */
export type Day = number

/** The number of places in a year for a month and day, 29 February included. */
export const monthDays = 366

/** Returns the day of a date in the form `YYYY-MM-DD`, which must exist. */
export function dayOfDate(date: string): Day {
  return daysOfDate(digits(date, 0, 4), digits(date, 5, 7), digits(date, 8, 10))
}

/** Returns the number that the digits of a text are. By hand, because a site can have 50,000 dates. */
export function digits(text: string, start: number, end: number): number {
  let value = 0
  for (let index = start; index < end; index++) value = value * 10 + text.charCodeAt(index) - 48
  return value
}

export function daysOfDate(year: number, month: number, date: number): Day {
  const years = month > 2 ? year : year - 1
  const months = (month + 9) % 12
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leapDays + Math.floor((months * 153 + 2) / 5) + date - 719_469
}

/** The inverse of `dayOfDate`. */
export function dateOfDay(day: Day): string {
  const era = eraOf(day)
  const yearOfEra = yearInEra(dayInEra(day, era))
  const place = placeInYear(dayInEra(day, era), yearOfEra)
  const months = Math.floor((place * 5 + 2) / 153)
  const date = place - Math.floor((months * 153 + 2) / 5) + 1
  const month = months < 10 ? months + 3 : months - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(date)}`
}

/** Returns the place of a day's month and date in the year: 1 March is 0, 29 February is 365. */
export function monthDayOf(day: Day): number {
  const inEra = dayInEra(day, eraOf(day))
  return placeInYear(inEra, yearInEra(inEra))
}

/** Monday is 0. 1970-01-01 was a Thursday. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7
}

/** Whether the text is a date in the form `YYYY-MM-DD` that the calendar has. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= '0001' && dateOfDay(dayOfDate(text)) === text
}

/** An era is 400 years, after which the calendar repeats. */
const eraDays = 146_097
/** The days from 0000-03-01 to 1970-01-01. */
const epochDays = 719_468

function eraOf(day: Day): number {
  return Math.floor((day + epochDays) / eraDays)
}

function dayInEra(day: Day, era: number): number {
  return day + epochDays - era * eraDays
}

function yearInEra(day: number): number {
  const leapDays = Math.floor(day / 1460) - Math.floor(day / 36_524) + Math.floor(day / 146_096)
  return Math.floor((day - leapDays) / 365)
}

function placeInYear(dayOfEra: number, yearOfEra: number): number {
  return dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
