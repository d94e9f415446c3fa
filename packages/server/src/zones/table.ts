import type { ZoneTable } from '@gatehouse-access/core'
import type { ZoneSource } from './course.ts'

/** A table begins with the year before, and has at least five years to come on its last day of use. */
const yearsBack = 1
const yearsAhead = 6

/** Makes the table that is used in a year. */
export function tableOf(source: ZoneSource, name: string, year: number): ZoneTable {
  const [from, until] = [startOf(year - yearsBack), startOf(year + yearsAhead)]
  const { offset, changes } = source.course(source.find(name) ?? name, from, until)
  return {
    release: source.release,
    from: textOf(from),
    until: textOf(until),
    offset,
    changes: changes.map(change => ({ at: textOf(change.at), offset: change.offset })),
  }
}

/** Whether two tables say the same, whatever releases they come from. */
export function isSameCourse(a: ZoneTable, b: ZoneTable): boolean {
  return courseText(a) === courseText(b)
}

function courseText({ from, until, offset, changes }: ZoneTable): string {
  return JSON.stringify([from, until, offset, changes.map(change => [change.at, change.offset])])
}

function startOf(year: number): number {
  return Date.UTC(year, 0, 1) / 1000
}

function textOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
