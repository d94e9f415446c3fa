export const daySeconds = 86_400

/** Days since 1970. The month counts from 1. A day beyond the end of its month is one of the next. */
export function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / (daySeconds * 1000)
}

export function daysInMonth(year: number, month: number): number {
  return dayNumber(year, month + 1, 1) - dayNumber(year, month, 1)
}

/** Returns the first day at or after the given one that is this weekday. Sunday is 0. */
export function weekdayFrom(day: number, weekday: number): number {
  return day + modulo(weekday - weekdayOf(day), 7)
}

/** Returns the last day at or before the given one that is this weekday. */
export function weekdayUpTo(day: number, weekday: number): number {
  return day - modulo(weekdayOf(day) - weekday, 7)
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return modulo(day + 4, 7)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

export function yearOf(seconds: number): number {
  return new Date(seconds * 1000).getUTCFullYear()
}
