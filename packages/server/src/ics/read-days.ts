import type { Steps } from '@gatehouse-access/core'
import { addDays, dateOf, daysBetween, wholeDate } from './dates.ts'
import { nameOf, occurrenceUid, textOf, uidOf } from './event-texts.ts'
import { type IcsEvent, mostOfName, readEvents } from './read-events.ts'
import { readRule } from './yearly.ts'

/** A day or stretch of days that a file has. */
export interface FoundDay {
  /** What the file calls it; null if it has no name that only this day has. */
  readonly uid: string | null
  readonly name: string | null
  readonly kind: string
  readonly starts_on: string
  readonly ends_on: string | null
  readonly recurrence: 'none' | 'yearly'
  readonly is_public: boolean
}

/** An event that is left out, because taking it would be a guess. */
export interface Skipped {
  readonly uid: string | null
  readonly name: string | null
  readonly starts: string | null
  readonly reason: string
}

export interface FoundDays {
  readonly days: readonly FoundDay[]
  readonly skipped: readonly Skipped[]
  /** UIDs that the file has anything to say about. */
  readonly named: ReadonlySet<string>
}

/** A file has more days than a calendar can have. */
export class TooManyDays extends Error {
  override name = 'TooManyDays'
}

const longest = 366
const mostSkipped = 1000
/** Characters of all EXDATE of an event. */
const longestList = 16 * 1024

/** Reads the whole days of a calendar file. Throws if it is no calendar, or has more than `most` days. */
export function* readDays(text: string, most: number): Steps<FoundDays> {
  const events: IcsEvent[] = []
  for (const event of readEvents(text)) {
    if (event) events.push(event)
    else yield
  }
  const uids = yield* countUids(events)
  const days: FoundDay[] = []
  const skipped: Skipped[] = []
  for (const event of events) {
    yield
    const uid = uidOf(event)
    if (textOf(event, 'STATUS') === 'CANCELLED' && !event.has('RECURRENCE-ID')) continue
    const read = readDay(event, uids)
    if (typeof read !== 'string') days.push(...read)
    else if (skipped.length < mostSkipped) skipped.push(describe(event, uid, read))
    if (days.length > most) throw new TooManyDays(`it has more than ${most} days`)
  }
  return { days, skipped, named: new Set(uids.keys()) }
}

interface UidUse {
  plain: number
  changed: number
}

/** A UID should name one event. Where it names several, days are told apart by date and name. */
function* countUids(events: readonly IcsEvent[]): Steps<Map<string, UidUse>> {
  const uses = new Map<string, UidUse>()
  for (const event of events) {
    yield
    const uid = uidOf(event)
    if (uid === null) continue
    const use = uses.get(uid) ?? { plain: 0, changed: 0 }
    use[event.has('RECURRENCE-ID') ? 'changed' : 'plain']++
    uses.set(uid, use)
  }
  return uses
}

/** Returns the days of an event, or why it is left out. */
function readDay(event: IcsEvent, uids: ReadonlyMap<string, UidUse>): FoundDay[] | string {
  const uid = uidOf(event)
  const use = uid === null ? undefined : uids.get(uid)
  if (event.has('RECURRENCE-ID')) return 'it changes one occurrence of an event that repeats'
  if (use && use.changed > 0) return 'one of its occurrences is changed by another event'
  const period = readPeriod(event)
  if (typeof period === 'string') return period
  const { starts_on, ends_on } = period
  const day: FoundDay = {
    uid: use && use.plain > 1 ? null : uid,
    name: nameOf(event),
    kind: 'holiday',
    starts_on,
    ends_on: ends_on === starts_on ? null : ends_on,
    recurrence: 'none',
    is_public: !['PRIVATE', 'CONFIDENTIAL'].includes(textOf(event, 'CLASS')),
  }
  return repeat(event, day)
}

function readPeriod(event: IcsEvent): { starts_on: string; ends_on: string } | string {
  const start = event.get('DTSTART')?.[0]
  if (!start) return 'it has no DTSTART'
  const starts_on = wholeDate(start)
  if (starts_on === undefined) return explainTime(start.value, start.params.has('TZID'))
  const isTimed = start.value.trim().length > 8
  const end = event.get('DTEND')?.[0]
  const ends_on = end ? endBefore(wholeDate(end), starts_on) : lastOf(event, starts_on, isTimed)
  if (ends_on === undefined) return 'it does not last whole days'
  if (ends_on < starts_on) return 'it ends before it starts'
  if (daysBetween(starts_on, ends_on) >= longest) return `it lasts longer than ${longest} days`
  return { starts_on, ends_on }
}

function explainTime(value: string, hasZone: boolean): string {
  const isDateTime = /^\d{8}T\d{6}Z?$/.test(value.trim())
  if (isDateTime && dateOf(value.trim().slice(0, 8)) !== undefined)
    return 'it has a time of day: only all-day events are taken'
  return hasZone ? 'it starts in a time zone: only all-day events are taken' : 'its DTSTART is no date'
}

/** The end is exclusive. Some programs write an end that equals the start for a single day. */
function endBefore(end: string | undefined, starts_on: string): string | undefined {
  if (end === undefined) return undefined
  return end === starts_on ? end : addDays(end, -1)
}

/** Without an end, a date is one day, and a time has no length unless a DURATION says so. */
function lastOf(event: IcsEvent, starts_on: string, isTimed: boolean): string | undefined {
  const duration = textOf(event, 'DURATION')
  if (duration === '') return isTimed ? undefined : starts_on
  const [, count, unit] = /^\+?P(\d{1,4})([DW])$/.exec(duration) ?? []
  const days = Number(count) * (unit === 'W' ? 7 : 1)
  return count === undefined || days < 1 ? undefined : addDays(starts_on, days - 1)
}

function repeat(event: IcsEvent, day: FoundDay): FoundDay[] | string {
  const rules = event.get('RRULE') ?? []
  if (event.has('RDATE')) return 'it has further dates (RDATE)'
  if (event.has('EXRULE') || rules.length > 1) return 'it has more than one rule of recurrence'
  const [rule] = rules
  if (!rule) return [day]
  const recurring = readRule(rule.value, day.starts_on)
  if (recurring.is === 'beyond') return recurring.reason
  const left = exceptionsOf(event)
  if (!left) return 'its EXDATE has a time of day, or too many dates'
  if (recurring.is === 'dates') return spread(day, recurring.dates, left)
  return left.size > 0
    ? 'it repeats without an end, but not always (EXDATE)'
    : [{ ...day, recurrence: 'yearly' }]
}

function exceptionsOf(event: IcsEvent): ReadonlySet<string> | undefined {
  const given = event.get('EXDATE') ?? []
  const size = given.reduce((sum, { value }) => sum + value.length, 0)
  if (given.length >= mostOfName || size > longestList) return undefined
  const dates = given.flatMap(property =>
    property.value.split(',').map(value => wholeDate({ ...property, value })),
  )
  return dates.every(date => date !== undefined) ? new Set(dates) : undefined
}

/** Each occurrence is a day of its own, known by the UID and its date. */
function spread(day: FoundDay, dates: readonly string[], left: ReadonlySet<string>): FoundDay[] {
  const length = day.ends_on === null ? 0 : daysBetween(day.starts_on, day.ends_on)
  return (
    dates
      .filter(date => !left.has(date))
      .map(date => ({
        ...day,
        uid: day.uid === null ? null : occurrenceUid(day.uid, date),
        starts_on: date,
        ends_on: length === 0 ? null : addDays(date, length),
      }))
      // The last of them would end after the last date there is.
      .filter(({ ends_on }) => ends_on === null || ends_on.length === 'YYYY-MM-DD'.length)
  )
}

function describe(event: IcsEvent, uid: string | null, reason: string): Skipped {
  const starts = event.get('DTSTART')?.[0]?.value.trim().slice(0, 64).toWellFormed()
  return { uid, name: nameOf(event), starts: starts || null, reason }
}
