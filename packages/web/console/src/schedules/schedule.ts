import type { SchedulePreview } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'
import type { Weekday } from './slots.ts'

export type Schedule = ItemOf<'schedules'>
export type SpecialDay = Schedule['special_days'][number]
export type Exception = Schedule['exceptions'][number]
export type PreviewDay = SchedulePreview['data'][number]

/** What the editor edits. */
export interface ScheduleValues {
  readonly name: string
  readonly weekdays: readonly Weekday[]
  readonly special_days: readonly SpecialDay[]
  readonly exceptions: readonly Exception[]
}

export function toValues({ name, weekdays, special_days, exceptions }: Schedule): ScheduleValues {
  return { name, weekdays, special_days, exceptions }
}

/** Returns the last date of an exception. */
export function lastDate({ starts_on, ends_on }: { starts_on: string; ends_on?: string | null }): string {
  return ends_on ?? starts_on
}

/** Returns the exception that covers a date. */
export function exceptionOn(exceptions: readonly Exception[], date: string): Exception | undefined {
  return exceptions.find(exception => exception.starts_on <= date && date <= lastDate(exception))
}

/**
 * Returns the fields that were edited. Only these are sent, so that what somebody else has saved in the others
 * meanwhile stays.
 */
export function changesOf(values: ScheduleValues, base: ScheduleValues): Partial<Schedule> {
  const { name, weekdays, special_days, exceptions } = values
  const isSame = (field: keyof ScheduleValues) =>
    JSON.stringify(values[field]) === JSON.stringify(base[field])
  return {
    ...(!isSame('name') && { name }),
    ...(!isSame('weekdays') && { weekdays: weekdays.map(({ ranges }) => ({ ranges: [...ranges] })) }),
    ...(!isSame('special_days') && { special_days: [...special_days] }),
    ...(!isSame('exceptions') && { exceptions: [...exceptions] }),
  }
}
