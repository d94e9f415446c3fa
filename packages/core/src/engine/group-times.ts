import type { Attempt } from './attempt.ts'
import type { Day } from './days/dates.ts'
import { dayTimes } from './days/times-on.ts'
import { type Group, type Rule, rulesFor } from './groups.ts'
import { grants, lineage } from './inheritance.ts'
import type { Schedule } from './schedules.ts'
import type { Steps } from './steps.ts'
import { passesApartFromTime } from './try-rules.ts'
import { type AnyWeek, intersectWeeks, noWeek, uniteAllWeeks, wholeWeek } from './week.ts'

/** How many weeks to hold before they are united: a dense week takes 75 kB. */
const mostHeld = 32

/** The schedules of the rules that inherit the same group, or none: only they can differ with time. */
interface Term {
  inherits: Group | null
  schedules: ReadonlySet<Schedule | null>
}

/** When each group is open, by its week or on one day. */
export type Times = Map<Group, AnyWeek>

/** What is known of the groups for one attempt. Computed once, however many inheritance paths lead there. */
export interface GroupTimes {
  attempt: Attempt
  terms: Map<Group, readonly Term[]>
  weeks: Times
  /** Groups of whose rules, or of whose ancestors' rules, a schedule has days of its own. */
  with_days: Set<Group>
}

export function createGroupTimes(attempt: Attempt): GroupTimes {
  return { attempt, terms: new Map(), weeks: new Map(), with_days: new Set() }
}

/** Returns when a group is open in a usual week. */
export function* weekOf(group: Group, known: GroupTimes): Steps<AnyWeek> {
  if (!known.weeks.has(group))
    for (const ancestor of group.inherits.length === 0 ? [group] : lineage(group, known.weeks)) {
      addTerms(ancestor, known)
      known.weeks.set(ancestor, yield* combine(ancestor, known, ownWeek, known.weeks))
      yield
    }
  return known.weeks.get(group) ?? noWeek
}

/** Returns when each group of a lineage, whose weeks are known, is open on one local day. */
export function* timesOfGroups(groups: readonly Group[], known: GroupTimes, day: Day): Steps<Times> {
  const { site } = known.attempt
  const times: Times = new Map()
  const read = (schedule: Schedule) => dayTimes(schedule, site, day)
  for (const group of groups) {
    times.set(group, yield* combine(group, known, read, times))
    yield
  }
  return times
}

/** Returns the schedules with days of their own that a group and its ancestors name. */
export function schedulesWithDays(groups: readonly Group[], { terms }: GroupTimes): Set<Schedule> {
  const found = new Set<Schedule>()
  for (const group of groups)
    for (const { schedules } of terms.get(group) ?? [])
      for (const schedule of schedules) if (schedule !== null && schedule.days !== null) found.add(schedule)
  return found
}

function ownWeek(schedule: Schedule): AnyWeek {
  return schedule.week
}

function addTerms(group: Group, known: GroupTimes): void {
  const rules = group.is_living ? rulesFor(group, known.attempt) : []
  const passing = rules.filter(rule => passesApartFromTime(rule, known.attempt))
  const terms = [...Map.groupBy(passing, rule => rule.inherits)].map(termOf)
  known.terms.set(group, terms)
  if (terms.some(term => hasDays(term, known))) known.with_days.add(group)
}

function termOf([inherits, rules]: readonly [Group | null, readonly Rule[]]): Term {
  return { inherits, schedules: new Set(rules.map(rule => rule.schedule)) }
}

function hasDays({ inherits, schedules }: Term, { with_days }: GroupTimes): boolean {
  if (inherits !== null && with_days.has(inherits)) return true
  return [...schedules].some(schedule => schedule !== null && schedule.days !== null)
}

/**
 * Returns when a group is open. Uniting and intersecting gives this for any inheritance. Rules that inherit
 * the same group are united before they are intersected with it, whose times are already known here.
 */
function* combine(
  group: Group,
  { terms }: GroupTimes,
  read: (schedule: Schedule) => AnyWeek,
  times: Times,
): Steps<AnyWeek> {
  let open: AnyWeek[] = []
  for (const { inherits, schedules } of terms.get(group) ?? []) {
    const own = Array.from(schedules, schedule => (schedule === null ? wholeWeek : read(schedule)))
    open.push(intersectWeeks(uniteAllWeeks(own), timesOfInherited(inherits, times)))
    if (open.length >= mostHeld) open = [uniteAllWeeks(open)]
    if (inherits !== null) yield
  }
  return uniteAllWeeks(open)
}

function timesOfInherited(group: Group | null, times: Times): AnyWeek {
  if (group === null) return wholeWeek
  return grants(group) ? (times.get(group) ?? noWeek) : noWeek
}
