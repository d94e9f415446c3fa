import type { SiteRow, Suspension } from '../src/index.ts'
import { judge, type OracleQuestion, type OracleRows, rangesOn, wallClockAt } from './oracle.ts'

/**
 * Returns the first instant, at or after `at`, at which the oracle allows access. The answer can only change
 * to allowed at `at` itself, at a start date, at the start of a range on some day, or at a clock change of
 * the zone. All of these within 366 days of `at` and of every later start date are tried in order, up to the
 * member's end.
 */
export function findNextAllowed(rows: OracleRows, question: OracleQuestion): string | null {
  if (!couldEverPass(rows, question)) return null
  const bases = [question.at, ...laterStarts(rows, question)]
  const answers = [...new Set(bases)].map(base => firstFrom(rows, question, base))
  return answers.filter(answer => answer !== null).sort()[0] ?? null
}

/** Whether access passes when all time conditions are removed. */
function couldEverPass(rows: OracleRows, question: OracleQuestion): boolean {
  const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86400 }] }))
  const timeless: OracleRows = {
    ...rows,
    members: rows.members.map(member => ({ ...endless(member), starts_at: null, ends_at: null })),
    credentials: rows.credentials.map(endless),
    devices: rows.devices.map(endless),
    associations: rows.associations.map(association => ({ ...association, starts_at: null, ends_at: null })),
    schedules: rows.schedules.map(schedule => ({
      ...schedule,
      weekdays: always,
      special_days: [],
      exceptions: [],
    })),
  }
  return judge(timeless, question) === null
}

/** A suspension that ends is a condition of time, and one without an end is not. */
function endless<Row extends Suspension>(row: Row): Row {
  return { ...row, is_suspended: row.is_suspended && row.suspended_until == null }
}

function laterStarts(rows: OracleRows, question: OracleQuestion): string[] {
  const id = memberOf(rows, question)
  const own = [...rows.members.filter(member => member.id === id), ...associationsOf(rows, id)]
  const starts = own.flatMap(({ starts_at }) => starts_at ?? [])
  const ends = [...rows.members, ...rows.credentials, ...rows.devices].flatMap(row =>
    row.is_suspended ? (row.suspended_until ?? []) : [],
  )
  return [...starts, ...ends].filter(start => start > question.at)
}

function firstFrom(rows: OracleRows, question: OracleQuestion, base: string): string | null {
  const passes = (at: string) => judge(rows, { ...question, at }) === null
  if (passes(base)) return base
  const end = endOfAll(rows, question)
  const gadget = rows.gadgets.find(({ id }) => id === question.gadget_id)
  const site = rows.sites.find(({ id }) => id === gadget?.site_id)
  const today = site && wallClockAt(rows, site.timezone, base)?.toPlainDate()
  if (!site || !today) return null
  const last = Temporal.Instant.from(base).add({ hours: 366 * 24 })
  for (let days = -1; days <= 367; days++)
    for (const at of turningPoints(rows, today.add({ days }), site)) {
      if (at >= end || at > format(last)) return null
      if (at > base && passes(at)) return at
    }
  return null
}

/** The time from which the member has no access, whatever the rules are. */
function endOfAll(rows: OracleRows, question: OracleQuestion): string {
  const id = memberOf(rows, question)
  const ends = associationsOf(rows, id).map(({ ends_at }) => ends_at ?? '9999')
  const last = ends.sort().at(-1) ?? '0000'
  const own = rows.members.find(member => member.id === id)?.ends_at ?? '9999'
  return own < last ? own : last
}

function memberOf(rows: OracleRows, question: OracleQuestion): string | undefined {
  if (question.member_id !== undefined) return question.member_id
  return rows.credentials.find(({ id }) => id === question.credential_id)?.member_id
}

function associationsOf(rows: OracleRows, member: string | undefined) {
  return rows.associations.filter(association => association.member_id === member && !association.is_deleted)
}

/** Calendar lookups are slow, and many questions about a policy concern the same days. */
const remembered = new WeakMap<OracleRows, Map<string, string[]>>()

function turningPoints(rows: OracleRows, date: Temporal.PlainDate, site: SiteRow): string[] {
  const days = remembered.get(rows) ?? new Map<string, string[]>()
  remembered.set(rows, days)
  const key = `${date} ${site.id}`
  const points = days.get(key) ?? findTurningPoints(rows, date, site)
  days.set(key, points)
  return points
}

/**
 * Returns the instants from one midnight in UTC to the next at which a range can start, in order: where the
 * wall clock shows a start of that local date or of the one before or after, and where the clock changes.
 */
function findTurningPoints(rows: OracleRows, date: Temporal.PlainDate, site: SiteRow): string[] {
  const midnight = date.toZonedDateTime('UTC').toInstant()
  const changes = clockChanges(rows, site.timezone, midnight)
  const offsets = new Set([midnight, ...changes].map(at => offsetAt(rows, site.timezone, at)))
  const starts = [-1, 0, 1].flatMap(days => startsOn(rows, date.add({ days }), site))
  const instants = starts.flatMap(local =>
    [...offsets].map(seconds => local.toZonedDateTime('UTC').toInstant().subtract({ seconds })),
  )
  const tomorrow = midnight.add({ hours: 24 })
  const within = [...instants, ...changes].filter(
    at => Temporal.Instant.compare(at, midnight) >= 0 && Temporal.Instant.compare(at, tomorrow) < 0,
  )
  return [...new Set(within.map(format))].sort()
}

function startsOn(rows: OracleRows, date: Temporal.PlainDate, site: SiteRow): Temporal.PlainDateTime[] {
  const ranges = rows.schedules.flatMap(schedule => rangesOn(rows, schedule, site, date))
  const seconds = new Set([0, ...ranges.map(({ start }) => start)].filter(second => second < 86400))
  return [...seconds].map(second => date.toPlainDateTime().add({ seconds: second }))
}

/** Returns the clock changes of a day, found by asking for every minute of it. */
function clockChanges(rows: OracleRows, zone: string, midnight: Temporal.Instant): Temporal.Instant[] {
  // A table can change twice a day; a government does not.
  const looks = rows.zones?.[zone] ? [0, 6, 12, 18, 24] : [0, 24]
  const offsets = looks.map(hours => offsetAt(rows, zone, midnight.add({ hours })))
  if (new Set(offsets).size === 1) return []
  const minutes = Array.from({ length: 24 * 60 + 1 }, (_, minute) => midnight.add({ minutes: minute }))
  const all = minutes.map(at => offsetAt(rows, zone, at))
  return minutes.filter((_, index) => index > 0 && all[index] !== all[index - 1])
}

export function offsetAt(
  rows: OracleRows,
  zone: string,
  at = Temporal.Instant.fromEpochMilliseconds(0),
): number {
  const local = wallClockAt(rows, zone, format(at)) ?? Temporal.PlainDateTime.from('1970-01-01')
  return local.toZonedDateTime('UTC').toInstant().since(at).total('seconds')
}

function format(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 6 })
}
