import type { FoundDay } from '../../ics/read-days.ts'
import type { HeldDay } from './held-days.ts'

/** What has to change so that a calendar has the days that were found. */
export interface DayPlan {
  readonly create: readonly FoundDay[]
  /** Days as they will be. */
  readonly update: readonly HeldDay[]
  readonly delete: readonly HeldDay[]
  /** Days that stay as they are, but are called otherwise by their source. */
  readonly adopt: readonly HeldDay[]
}

interface PlanOptions {
  /** Whether the day goes if it was not found. */
  readonly isOwned: (day: HeldDay) => boolean
  /** What is taken from the found day. */
  readonly taken: readonly (keyof FoundDay)[]
}

/** Recognizes days by UID, else by date and name. */
export function planDays(
  held: readonly HeldDay[],
  found: readonly FoundDay[],
  { isOwned, taken }: PlanOptions,
): DayPlan {
  const pairs = matchDays(held, found)
  const matched = new Set(pairs.values())
  const changed = [...pairs].map(([day, own]) => ({
    own,
    after: { ...own, ...pick(day, taken), uid: day.uid ?? own.uid },
  }))
  const isVisible = ({ own, after }: Pair) => taken.some(name => name !== 'uid' && own[name] !== after[name])
  return {
    create: found.filter(day => !pairs.has(day)),
    update: changed.filter(isVisible).map(({ after }) => after),
    delete: held.filter(day => !matched.has(day) && isOwned(day)),
    adopt: changed
      .filter(pair => !isVisible(pair) && pair.own.uid !== pair.after.uid)
      .map(({ after }) => after),
  }
}

interface Pair {
  readonly own: HeldDay
  readonly after: HeldDay
}

function matchDays(held: readonly HeldDay[], found: readonly FoundDay[]): Map<FoundDay, HeldDay> {
  const pairs = new Map<FoundDay, HeldDay>()
  const free = new Set(held)
  const take = (day: FoundDay, own: HeldDay | undefined) => {
    if (own && free.delete(own)) pairs.set(day, own)
  }
  const byUid = new Map(held.map(own => [own.uid, own]))
  for (const day of found) if (day.uid !== null) take(day, byUid.get(day.uid))
  // A file may have the same day several times.
  const byDate = Map.groupBy(free, dateAndName)
  for (const day of found) if (!pairs.has(day)) take(day, byDate.get(dateAndName(day))?.pop())
  return pairs
}

function dateAndName({ starts_on, name }: Pick<FoundDay, 'starts_on' | 'name'>): string {
  return `${starts_on} ${name ?? ''}`
}

function pick(day: FoundDay, names: readonly (keyof FoundDay)[]): Partial<FoundDay> {
  return Object.fromEntries(names.map(name => [name, day[name]]))
}

export function isEmpty({ create, update, delete: deleted }: DayPlan): boolean {
  return create.length + update.length + deleted.length === 0
}

/**
 * Whether more than half of the days to come would be gone: deleted, or moved into the past. A feed that was
 * emptied by mistake must not open doors on holidays.
 */
export function isSuspicious(plan: DayPlan, held: readonly HeldDay[], today: string): boolean {
  const coming = held.filter(day => isToCome(day, today))
  const after = new Map(plan.update.map(day => [day.id, day]))
  const gone = new Set(plan.delete.map(({ id }) => id))
  const lost = coming.filter(({ id }) => {
    const moved = after.get(id)
    return gone.has(id) || (moved !== undefined && !isToCome(moved, today))
  })
  return lost.length * 2 > coming.length
}

function isToCome({ starts_on, ends_on, recurrence }: HeldDay, today: string): boolean {
  return recurrence === 'yearly' || (ends_on ?? starts_on) >= today
}
