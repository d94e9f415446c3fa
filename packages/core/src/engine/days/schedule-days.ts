import type { Range } from '../../weekdays.ts'
import type { ScheduleRow } from '../policy-rows.ts'
import { appendRange, type Bounds, countUpTo } from './bounds.ts'
import { type Day, dayOfDate } from './dates.ts'

/** The times of a day, in wall-clock seconds from 0 to 86400. */
export type Times = Bounds

/** What a schedule has instead of its weekdays. */
export interface ScheduleDays {
  /** The first day of each exception and the day after its last. */
  exceptions: Bounds
  /** By exception. */
  exception_times: readonly Times[]
  /** In the order in which they count. */
  kinds: readonly string[]
  /** By kind. */
  kind_times: readonly Times[]
}

/** Returns null for a schedule that has only its weekdays. */
export function scheduleDaysOf({
  special_days,
  exceptions,
}: Pick<ScheduleRow, 'special_days' | 'exceptions'>): ScheduleDays | null {
  const special = special_days ?? []
  const sorted = [...(exceptions ?? [])].sort((a, b) => (a.starts_on < b.starts_on ? -1 : 1))
  if (special.length + sorted.length === 0) return null
  return {
    exceptions: Int32Array.from(
      sorted.flatMap(({ starts_on, ends_on }) => [dayOfDate(starts_on), dayOfDate(ends_on ?? starts_on) + 1]),
    ),
    exception_times: sorted.map(({ ranges }) => timesOf(ranges)),
    kinds: special.map(({ kind }) => kind),
    kind_times: special.map(({ ranges }) => timesOf(ranges)),
  }
}

/** Returns the place of the exception that covers the day; -1 if there is none. */
export function exceptionOn({ exceptions }: ScheduleDays, day: Day): number {
  const count = countUpTo(exceptions, day)
  return count % 2 === 1 ? (count - 1) / 2 : -1
}

function timesOf(ranges: readonly Range[]): Times {
  const bounds: number[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) appendRange(bounds, start, end)
  return Int32Array.from(bounds)
}
