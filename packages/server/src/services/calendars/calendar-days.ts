import { invalid } from '@gatehouse-access/api'
import { findDayProblem } from '@gatehouse-access/core'
import { behaviour } from '../objects/behaviour.ts'
import { holdLivingParent } from '../objects/credentials.ts'

export const calendarDayBehaviour = behaviour('calendar_day', {
  settle(after) {
    const problem = findDayProblem(after)
    if (problem) throw invalid(problem.field, problem.message)
    return {}
  },
  async beforeEdit(work, before) {
    refuseManaged(before)
    await holdLivingParent(work, 'calendar', before.calendar_id)
    return {}
  },
  async beforeDelete(_work, row) {
    refuseManaged(row)
    return {}
  },
  async beforeRestore(work, row) {
    refuseManaged(row)
    await holdLivingParent(work, 'calendar', row.calendar_id)
    return {}
  },
})

function refuseManaged({ id, is_managed }: { readonly id: string; readonly is_managed: boolean }): void {
  if (is_managed)
    throw invalid(
      'is_managed',
      `the calendar day ${id} is managed by the source of its calendar; change it there, or take the source off the calendar`,
    )
}
