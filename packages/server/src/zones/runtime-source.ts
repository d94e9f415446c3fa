import type { Course, Step, ZoneSource } from './course.ts'
import { cutCourse } from './course.ts'

/** The time zone database that Node brings. */
export const runtimeSource: ZoneSource = {
  release: process.versions.tz ?? 'unknown',
  // The runtime knows UTC, but does not list it everywhere.
  names: [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort(),
  find(name) {
    try {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
    } catch {
      return undefined
    }
  },
  course: (name, from, until): Course => cutCourse(stepsOf(name, from), from, until),
}

function* stepsOf(name: string, from: number): Generator<Step> {
  let local: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
    from * 1000,
  ).toZonedDateTimeISO(name)
  while (local) {
    yield { at: local.epochMilliseconds / 1000, offset: local.offsetNanoseconds / 1e9 }
    local = local.getTimeZoneTransition('next')
  }
}

/** Returns seconds east of UTC. The instant is in milliseconds. */
export function runtimeOffset(name: string, instant: number): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).offsetNanoseconds / 1e9
}
