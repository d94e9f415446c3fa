/** From `at` on, in seconds since 1970, local time is UTC plus `offset` seconds. */
export interface Step {
  readonly at: number
  readonly offset: number
}

/** What a release says of a zone between two instants: the offset at the first, and the changes after it. */
export interface Course {
  readonly offset: number
  readonly changes: readonly Step[]
}

/** Where offsets of time zones come from. */
export interface ZoneSource {
  /** The release of the time zone database, such as 2026b. */
  readonly release: string
  /** All names that may be offered, in order. `find` may know further ones. */
  readonly names: readonly string[]
  /** Returns the name as the source spells it, whatever its case; undefined for an unknown zone. */
  find(name: string): string | undefined
  /** Both bounds are in seconds since 1970. Accepts only names that `find` has returned. */
  course(name: string, from: number, until: number): Course
}

/** Cuts the time from `from` to `until` out of sorted steps, without steps that change nothing. */
export function cutCourse(steps: Iterable<Step>, from: number, until: number): Course {
  let offset = Number.NaN
  const changes: Step[] = []
  for (const step of steps) {
    if (step.at >= until) break
    // Of several steps at one instant the last counts.
    if (changes.at(-1)?.at === step.at) changes.pop()
    if (step.at <= from) offset = step.offset
    else if (step.offset !== (changes.at(-1)?.offset ?? offset)) changes.push(step)
  }
  if (Number.isNaN(offset)) throw new Error('no offset is known for the beginning')
  return { offset, changes }
}
