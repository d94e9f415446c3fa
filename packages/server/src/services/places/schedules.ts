import { invalid } from '@gatehouse-access/api'
import { findWeekdayProblem } from '@gatehouse-access/core'
import { behaviour } from '../objects/behaviour.ts'

export const scheduleBehaviour = behaviour('schedule', {
  settle(after) {
    const problem = findWeekdayProblem(after.weekdays)
    if (problem) throw invalid(problem.field, problem.message)
    return {}
  },
})
