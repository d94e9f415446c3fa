import { dateOfDay, dayOfDate, isDate } from '@gatehouse-access/core'
import type { Property } from './content-lines.ts'

/** `20261225` as `2026-12-25`; undefined if there is no such date. */
export function dateOf(text: string): string | undefined {
  const [, year, month, day] = /^([1-9]\d{3})(\d\d)(\d\d)$/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  return year !== undefined && isDate(date) ? date : undefined
}

export function addDays(date: string, days: number): string {
  return dateOfDay(dayOfDate(date) + days)
}

export function daysBetween(from: string, to: string): number {
  return dayOfDate(to) - dayOfDate(from)
}

/**
 * Returns the date of a property that means a whole day: a DATE, or midnight without a zone, which is midnight
 * everywhere. Undefined for a time of day, and for a midnight of one zone only.
 */
export function wholeDate({ value, params }: Property): string | undefined {
  const text = value.trim()
  if (params.has('TZID')) return undefined
  return dateOf(text.endsWith('T000000') ? text.slice(0, -7) : text)
}
