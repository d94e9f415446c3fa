import { dateOf } from './dates.ts'

/** What a rule of recurrence comes to: every year, these dates, or something that cannot be told exactly. */
export type Recurring =
  | { readonly is: 'yearly' }
  | { readonly is: 'dates'; readonly dates: readonly string[] }
  | { readonly is: 'beyond'; readonly reason: string }

/** More occurrences than this are no holiday. */
const mostOccurrences = 400
const known = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'WKST']

/** Reads `FREQ=YEARLY;COUNT=3` for an event that starts on a date. */
export function readRule(rule: string, startsOn: string): Recurring {
  const parts = partsOf(rule)
  if (parts.get('FREQ') !== 'YEARLY') return beyond('it repeats, but not every year')
  const other = [...parts.keys()].find(name => !known.includes(name))
  if (other !== undefined) return beyond(`its RRULE has ${other.slice(0, 20)}`)
  if (!staysOnDay(parts, startsOn)) return beyond('its RRULE names another day than it starts on')
  return readEnd(parts, startsOn)
}

function partsOf(rule: string): ReadonlyMap<string, string> {
  const given = rule.trim().toUpperCase().split(';').filter(Boolean)
  return new Map(
    given.map(part => {
      const [name = '', ...rest] = part.split('=')
      return [name, rest.join('=')]
    }),
  )
}

/** A rule may repeat the month and the day of the start, which says nothing new. */
function staysOnDay(parts: ReadonlyMap<string, string>, startsOn: string): boolean {
  const [, month, day] = startsOn.split('-').map(Number)
  const byMonth = parts.get('BYMONTH')
  const byDay = parts.get('BYMONTHDAY')
  if (byDay !== undefined && byMonth === undefined) return false
  return (byMonth ?? String(month)) === String(month) && (byDay ?? String(day)) === String(day)
}

function readEnd(parts: ReadonlyMap<string, string>, startsOn: string): Recurring {
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const count = parts.has('COUNT') ? Number(parts.get('COUNT')) : undefined
  const until = parts.get('UNTIL')
  if (!Number.isInteger(interval) || interval < 1) return beyond('its RRULE has an impossible INTERVAL')
  if (count !== undefined && (!Number.isInteger(count) || count < 1))
    return beyond('its RRULE has an impossible COUNT')
  if (count === undefined && until === undefined)
    return interval === 1 ? { is: 'yearly' } : beyond(`it repeats every ${interval} years without an end`)
  if ((count ?? 0) > mostOccurrences) return beyond(`it repeats more than ${mostOccurrences} times`)
  if (until === undefined) return { is: 'dates', dates: occurrences(startsOn, interval, count, '9999-12-31') }
  return readUntil(startsOn, interval, count, until)
}

/** An UNTIL with a time ends at another date in another zone, so no occurrence may fall on its date. */
function readUntil(startsOn: string, interval: number, count: number | undefined, until: string): Recurring {
  const last = dateOf(until.slice(0, 8))
  if (last === undefined) return beyond('its RRULE has an impossible UNTIL')
  const dates = occurrences(startsOn, interval, count, last)
  if (dates.length > mostOccurrences) return beyond(`it repeats more than ${mostOccurrences} times`)
  if (until.length > 8 && dates.at(-1) === last) return beyond('its last occurrence depends on a time zone')
  return { is: 'dates', dates }
}

/** The same month and day in later years. 29 February comes in leap years only. */
function occurrences(
  startsOn: string,
  interval: number,
  count = mostOccurrences + 1,
  last: string,
): string[] {
  const monthAndDay = startsOn.slice(4)
  const found: string[] = []
  for (let year = Number(startsOn.slice(0, 4)); year <= 9999 && found.length < count; year += interval) {
    if (monthAndDay === '-02-29' && !isLeap(year)) continue
    const date = `${year}${monthAndDay}`
    if (date > last) break
    found.push(date)
  }
  return found
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function beyond(reason: string): Recurring {
  return { is: 'beyond', reason }
}
