export interface Range {
  start: number
  end: number
}
export interface Weekday {
  ranges: readonly Range[]
}
export interface Problem {
  field: string
  message: string
}

/**
 * Bounds are 0 to 86400, an end is after its start, and ranges of a day do not overlap. Index 0 is Monday.
 */
export function findWeekdayProblem(weekdays: readonly Weekday[]): Problem | undefined {
  for (const [day, { ranges }] of weekdays.entries()) {
    const problem = findRangeProblem(ranges)
    if (problem) return { field: `weekdays.${day}.${problem.field}`, message: problem.message }
  }
  return undefined
}

export function findRangeProblem(ranges: readonly Range[]): Problem | undefined {
  for (const [index, { start, end }] of ranges.entries()) {
    if (end <= start)
      return { field: `ranges.${index}.end`, message: `end ${end} must be greater than start ${start}` }
  }
  const sorted = ranges.map((range, index) => ({ ...range, index })).sort((a, b) => a.start - b.start)
  for (const [position, range] of sorted.entries()) {
    const previous = sorted[position - 1]
    if (previous && range.start < previous.end)
      return {
        field: `ranges.${range.index}`,
        message: `range ${range.start} to ${range.end} overlaps ${previous.start} to ${previous.end}`,
      }
  }
  return undefined
}
