import { invalid } from '@gatehouse/api'
import { findWeekdayProblem, type Weekday } from '@gatehouse/core'
import type { Behaviour } from '../objects/context.ts'

export const scheduleBehaviour: Behaviour = {
  settle(after) {
    const problem = findWeekdayProblem(after.weekdays as Weekday[])
    if (problem) throw invalid(problem.field, problem.message)
    return {}
  },
}
