import { invalid } from '@gatehouse-access/api'
import { findExceptionProblem, findSpecialDayProblem, findWeekdayProblem } from '@gatehouse-access/core'
import { behaviour } from '../objects/behaviour.ts'

export const scheduleBehaviour = behaviour('schedule', {
  settle(after) {
    const problem =
      findWeekdayProblem(after.weekdays) ??
      findSpecialDayProblem(after.special_days ?? []) ??
      findExceptionProblem(after.exceptions ?? [])
    if (problem) throw invalid(problem.field, problem.message)
    refuseManyRanges(after.exceptions ?? [])
    return {}
  },
})

/** Every controller of the schedule holds them all. */
const mostRanges = 2000

function refuseManyRanges(exceptions: readonly { readonly ranges: readonly unknown[] }[]): void {
  const count = exceptions.reduce((sum, { ranges }) => sum + ranges.length, 0)
  if (count > mostRanges)
    throw invalid('exceptions', `exceptions have ${count} ranges in all; at most ${mostRanges} are allowed`)
}
