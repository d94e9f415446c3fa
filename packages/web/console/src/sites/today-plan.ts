import { t } from '../language/t.ts'
import { addDays } from '../parts/dates.ts'
import { type Exception, lastDate } from '../schedules/schedule.ts'
import type { UsedSchedule } from './schedules-at.ts'

/** Returns the times of a schedule on a day of a kind. Undefined: the schedule ignores the kind. */
export function timesOn({ special_days }: UsedSchedule, kind: string): Exception['ranges'] | undefined {
  return special_days.find(day => day.kind === kind)?.ranges
}

/**
 * Adds an exception and takes its dates away from those that there are, because exceptions must not overlap.
 */
export function withException(held: readonly Exception[], added: Exception): Exception[] {
  const [first, last] = [added.starts_on, lastDate(added)]
  const rest = held.flatMap(exception => {
    const end = lastDate(exception)
    if (end < first || exception.starts_on > last) return [exception]
    return [
      { ...exception, ends_on: addDays(first, -1) },
      { ...exception, starts_on: addDays(last, 1), ends_on: end },
    ].filter(part => part.starts_on <= part.ends_on)
  })
  return [...rest, added].sort((a, b) => (a.starts_on < b.starts_on ? -1 : 1))
}

interface Door {
  readonly id: string
  readonly name: string
}

/** Returns the doors that follow any of the schedules. */
export function doorsOf(schedules: readonly UsedSchedule[], doors: readonly Door[]): readonly Door[] {
  return doors.filter(({ id }) => schedules.some(schedule => schedule.doors?.has(id) ?? true))
}

/** Returns `Front door, Gate and 3 more`. */
export function doorWords(doors: readonly Door[]): string {
  const names = doors.slice(0, 3).map(({ name }) => name)
  if (doors.length > 4) return t(`${names.join(', ')} and ${doors.length - 3} more`)
  return doors.map(({ name }) => name).join(', ')
}
