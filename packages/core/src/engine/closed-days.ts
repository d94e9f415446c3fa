import type { Day } from './days/dates.ts'
import { dayTimes } from './days/times-on.ts'
import type { GroupTimes } from './group-times.ts'
import type { Group } from './groups.ts'
import { grants } from './inheritance.ts'
import type { Site } from './places.ts'
import type { Schedule } from './schedules.ts'
import type { Steps } from './steps.ts'

/** What is needed to tell that a group is closed for a whole day, which is much cheaper than its times. */
export interface ClosedDays {
  site: Site
  /** By group, ancestors first. */
  groups: readonly (readonly Way[])[]
  /** The place of the group itself. */
  own: number
  /** By group: whether it may be open on the day that is looked at. */
  open: Uint8Array
  /** How many schedules and groups a day asks for at most. */
  size: number
}

/** A way through which a group can be open: one of the schedules, and the inherited group if there is one. */
interface Way {
  /** Null: open at all times. */
  schedules: readonly Schedule[] | null
  /** Its place among the groups; -1 for none. */
  inherits: number
}

/** A pause costs about as much as reading some schedules. With more than these, a day is too long for one step. */
const readsAStep = 500

export function createClosedDays(
  group: Group,
  groups: readonly Group[],
  { attempt, terms }: GroupTimes,
): ClosedDays {
  const places = new Map(groups.map((group, place) => [group, place]))
  const waysOf = (group: Group): Way[] =>
    (terms.get(group) ?? [])
      .filter(({ inherits }) => inherits === null || grants(inherits))
      .map(({ inherits, schedules }) => ({
        schedules: schedules.has(null) ? null : [...schedules].filter(schedule => schedule !== null),
        inherits: inherits === null ? -1 : (places.get(inherits) ?? -1),
      }))
  const ways = groups.map(waysOf)
  return {
    site: attempt.site,
    groups: ways,
    own: places.get(group) ?? -1,
    open: new Uint8Array(groups.length),
    size: ways.flat().reduce((sum, { schedules }) => sum + 1 + (schedules?.length ?? 0), 0),
  }
}

/** Returns the first day from `day` to `last` on which the group may be open, or the day after `last`. */
export function* skipClosed(closed: ClosedDays, day: Day, last: Day): Steps<Day> {
  if (closed.size > readsAStep) return day
  let next = day
  for (let reads = 0; next <= last && !mayBeOpen(closed, next); next++) {
    reads += closed.size
    if (reads <= readsAStep) continue
    reads = 0
    yield
  }
  return next
}

/** Whether the group may be open on a day. It may be closed all the same, if inherited times do not meet its own. */
function mayBeOpen(closed: ClosedDays, day: Day): boolean {
  const { groups, open, own } = closed
  for (const [place, ways] of groups.entries())
    open[place] = ways.some(way => isWayOpen(closed, way, day)) ? 1 : 0
  return open[own] === 1
}

function isWayOpen(closed: ClosedDays, { schedules, inherits }: Way, day: Day): boolean {
  if (inherits >= 0 && closed.open[inherits] === 0) return false
  if (schedules === null) return true
  return schedules.some(schedule => dayTimes(schedule, closed.site, day).length > 0)
}
