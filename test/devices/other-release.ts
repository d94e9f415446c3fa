import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZoneTable } from '@gatehouse-access/core'

interface Change {
  readonly at: number
  readonly offset: number
}

/** Seconds east of UTC at first, and the changes after that. */
interface Course {
  readonly offset: number
  readonly changes: readonly Change[]
}

const [first, last] = ['2022-01-01T00:00:00Z', '2033-01-01T00:00:00Z']
const [hour, week] = [3600, 7 * 86_400]

/** What governments did in the last years: kept their clocks, moved the dates, gave up winter time, changed zones. */
const reforms: readonly ((course: Course) => Course)[] = [
  course => course,
  ({ offset, changes }) => ({
    offset,
    changes: changes.map(({ at, offset }) => ({ at: at + week, offset })),
  }),
  ({ offset, changes }) => ({
    offset,
    changes: changes.filter(({ at }) => at < Date.parse('2026-06-01') / 1000),
  }),
  ({ offset, changes }) => ({
    offset: offset + hour / 2,
    changes: changes.map(change => ({ ...change, offset: change.offset + hour / 2 })),
  }),
]

/**
 * Zone data of a release that no runtime has. Returns the tables that it comes to, computed without the code that
 * reads the folder.
 */
export async function writeOtherRelease(
  folder: string,
  zones: readonly string[],
): Promise<Record<string, ZoneTable>> {
  const courses = zones.map((zone, index) => {
    const reform = reforms[index % reforms.length] as (course: Course) => Course
    return [zone, reform(courseOf(zone))] as const
  })
  const lines = ['# version 2099z', ...courses.flatMap(([zone, course]) => linesOf(zone, course)), '']
  await writeFile(join(folder, 'tzdata.zi'), lines.join('\n'))
  return Object.fromEntries(courses.map(([zone, course]) => [zone, tableOf(course)]))
}

function courseOf(zone: string): Course {
  const begin = Temporal.Instant.from(first).toZonedDateTimeISO(zone)
  const changes: Change[] = []
  for (let at = begin.getTimeZoneTransition('next'); at && at.year < 2033; ) {
    changes.push({ at: at.epochMilliseconds / 1000, offset: at.offsetNanoseconds / 1e9 })
    at = at.getTimeZoneTransition('next')
  }
  return { offset: begin.offsetNanoseconds / 1e9, changes }
}

/** One line for each stretch of time, which ends at an instant of UTC. */
function linesOf(zone: string, { offset, changes }: Course): string[] {
  const offsets = [offset, ...changes.map(change => change.offset)]
  return offsets.map((own, index) => {
    const until = changes[index]
    const line = `${clock(own)} - %z${until ? ` ${wordsOf(until.at)}` : ''}`
    return index === 0 ? `Z ${zone} ${line}` : line
  })
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function wordsOf(at: number): string {
  const date = new Date(at * 1000)
  const time = date.toISOString().slice(11, 19)
  return `${date.getUTCFullYear()} ${months[date.getUTCMonth()]} ${date.getUTCDate()} ${time}u`
}

function clock(seconds: number): string {
  const text = new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 19)
  return `${seconds < 0 ? '-' : ''}${text}`
}

function tableOf({ offset, changes }: Course): ZoneTable {
  const toText = (at: number) => new Date(at * 1000).toISOString().replace('.000Z', 'Z')
  return {
    release: '2099z',
    from: first,
    until: last,
    offset,
    changes: changes.map(change => ({ at: toText(change.at), offset: change.offset })),
  }
}
