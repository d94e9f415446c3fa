import type { PolicyRows } from '../src/index.ts'
import { isKnownZone, judge, type OracleQuestion } from './oracle.ts'

/**
 * Returns the first instant, at or after `at`, at which the oracle allows access. The answer can only change
 * to allowed at `at` itself, at a start date, at the start of a range on some day, or at a clock change of
 * the zone. All of these within 366 days of `at` and of every later start date are tried in order, up to the
 * member's end.
 */
export function findNextAllowed(rows: PolicyRows, question: OracleQuestion): string | null {
  if (!couldEverPass(rows, question)) return null
  const bases = [question.at, ...laterStarts(rows, question)]
  const answers = [...new Set(bases)].map(base => firstFrom(rows, question, base))
  return answers.filter(answer => answer !== null).sort()[0] ?? null
}

/** Whether access passes when all time conditions are removed. */
function couldEverPass(rows: PolicyRows, question: OracleQuestion): boolean {
  const always = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86400 }] }))
  const timeless: PolicyRows = {
    ...rows,
    members: rows.members.map(member => ({ ...member, starts_at: null, ends_at: null })),
    associations: rows.associations.map(association => ({ ...association, starts_at: null, ends_at: null })),
    schedules: rows.schedules.map(schedule => ({ ...schedule, weekdays: always })),
  }
  return judge(timeless, question) === null
}

function laterStarts(rows: PolicyRows, question: OracleQuestion): string[] {
  const id = memberOf(rows, question)
  const own = [...rows.members.filter(member => member.id === id), ...associationsOf(rows, id)]
  return own.flatMap(({ starts_at }) => starts_at ?? []).filter(start => start > question.at)
}

function firstFrom(rows: PolicyRows, question: OracleQuestion, base: string): string | null {
  const passes = (at: string) => judge(rows, { ...question, at }) === null
  if (passes(base)) return base
  const end = endOfAll(rows, question)
  const gadget = rows.gadgets.find(({ id }) => id === question.gadget_id)
  const zone = rows.sites.find(({ id }) => id === gadget?.site_id)?.timezone
  if (!zone || !isKnownZone(zone)) return null
  const first = Temporal.Instant.from(base).toZonedDateTimeISO(zone).toPlainDate()
  for (let days = 0; days <= 366; days++)
    for (const at of turningPoints(rows, first.add({ days }), zone)) {
      if (at >= end) return null
      if (at > base && passes(at)) return at
    }
  return null
}

/** The time from which the member has no access, whatever the rules are. */
function endOfAll(rows: PolicyRows, question: OracleQuestion): string {
  const id = memberOf(rows, question)
  const ends = associationsOf(rows, id).map(({ ends_at }) => ends_at ?? '9999')
  const last = ends.sort().at(-1) ?? '0000'
  const own = rows.members.find(member => member.id === id)?.ends_at ?? '9999'
  return own < last ? own : last
}

function memberOf(rows: PolicyRows, question: OracleQuestion): string | undefined {
  if (question.member_id !== undefined) return question.member_id
  return rows.credentials.find(({ id }) => id === question.credential_id)?.member_id
}

function associationsOf(rows: PolicyRows, member: string | undefined) {
  return rows.associations.filter(association => association.member_id === member && !association.is_deleted)
}

/** Calendar lookups are slow, and many questions about a policy concern the same days. */
const remembered = new WeakMap<PolicyRows, Map<string, string[]>>()

function turningPoints(rows: PolicyRows, date: Temporal.PlainDate, zone: string): string[] {
  const days = remembered.get(rows) ?? new Map<string, string[]>()
  remembered.set(rows, days)
  const key = `${date} ${zone}`
  const points = days.get(key) ?? findTurningPoints(rows, date, zone)
  days.set(key, points)
  return points
}

/** Returns the instants of a local date at which a range can start, in order. */
function findTurningPoints(rows: PolicyRows, date: Temporal.PlainDate, zone: string): string[] {
  const ranges = rows.schedules.flatMap(({ weekdays }) => weekdays[date.dayOfWeek - 1]?.ranges ?? [])
  const seconds = new Set([0, ...ranges.map(({ start }) => start)].filter(second => second < 86400))
  const change = date.toZonedDateTime(zone).subtract({ hours: 1 }).getTimeZoneTransition('next')
  const instants = [...seconds].flatMap(second => both(date, second, zone)).concat(change?.toInstant() ?? [])
  const ofThisDate = instants.filter(at => at.toZonedDateTimeISO(zone).toPlainDate().equals(date))
  return [...new Set(ofThisDate.map(format))].sort()
}

/** A wall-clock time can occur twice on a day when the clock is set back. */
function both(date: Temporal.PlainDate, second: number, zone: string): Temporal.Instant[] {
  const local = date.toPlainDateTime().add({ seconds: second })
  return (['earlier', 'later'] as const).map(disambiguation =>
    local.toZonedDateTime(zone, { disambiguation }).toInstant(),
  )
}

function format(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 6 })
}
