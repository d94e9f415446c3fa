import { t } from '../language/t.ts'
import type { Exception } from '../schedules/schedule.ts'
import type { UsedSchedule } from './schedules-at.ts'

/** Returns the times of a schedule on a day of a kind. Undefined: the schedule ignores the kind. */
export function timesOn({ special_days }: UsedSchedule, kind: string): Exception['ranges'] | undefined {
  return special_days.find(day => day.kind === kind)?.ranges
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
