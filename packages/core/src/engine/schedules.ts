import { numberedCell } from './cells.ts'
import type { Edition } from './days/edition.ts'
import { type ScheduleDays, scheduleDaysOf } from './days/schedule-days.ts'
import type { ScheduleRow } from './policy-rows.ts'
import { compileWeek, noWeek, type Week } from './week.ts'

export interface Schedule {
  id: string
  number: number
  is_living: boolean
  week: Week
  /** Null if every day is as its weekday. Decisions then look at nothing else than the week. */
  days: ScheduleDays | null
}

export interface Schedules {
  schedules: Map<string, Schedule>
  schedule_cells: Schedule[]
  edition: Edition
}

export function putSchedule(held: Schedules, row: ScheduleRow): void {
  const schedule = scheduleCell(held, row.id)
  schedule.is_living = !row.is_deleted
  schedule.week = compileWeek(row.weekdays)
  schedule.days = scheduleDaysOf(row)
  held.edition.number++
}

export function scheduleCell({ schedule_cells, schedules }: Schedules, id: string): Schedule {
  return numberedCell(schedules, schedule_cells, id, number => ({
    id,
    number,
    is_living: false,
    week: noWeek,
    days: null,
  }))
}
