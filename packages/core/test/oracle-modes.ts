/**
 * The mode of a door, straight from the specification and without regard to speed: the schedule is asked every
 * quarter of an hour on Temporal's wall clock, and everything that happened is replayed in order. It shares no
 * code with the engine except the wire names.
 */
import type { DoorMode, LooseDoor } from '../src/index.ts'

export const quarter = 900_000_000
const before = 10 * 96
const after = 12 * 96

type Rule = LooseDoor['rules'][number]

/** A quarter of an hour on the clock of the site, around an anchor. */
interface Quarter {
  at: number
  date: string
  weekday: number
  second: number
  /** The place of the quarter in which the clock showed the same before it was put back, or its own. */
  first_pass: number
}

export interface OracleMode extends Omit<DoorMode, 'since' | 'until'> {
  since: number | null
  until: number | null
  /** Groups of which a member needs one beside permission, with the reason if it is in none. */
  needs: { reason: string; groups: string[] }[]
}

const remembered = new Map<string, Quarter[]>()

/** The anchor is a multiple of a quarter of an hour; events are near it. */
function quartersAround(zone: string, anchor: number): Quarter[] {
  const key = `${zone} ${anchor}`
  const known = remembered.get(key) ?? findQuarters(zone, anchor)
  remembered.set(key, known)
  return known
}

function findQuarters(zone: string, anchor: number): Quarter[] {
  return Array.from({ length: before + after }, (_, place) => {
    const at = anchor + (place - before) * quarter
    const local = Temporal.Instant.fromEpochMilliseconds(at / 1000).toZonedDateTimeISO(zone)
    const earlier = local.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'earlier' })
    return {
      at,
      date: local.toPlainDate().toString(),
      weekday: local.dayOfWeek - 1,
      second: local.hour * 3600 + local.minute * 60,
      first_pass: place - (local.epochMilliseconds - earlier.epochMilliseconds) / 900_000,
    }
  })
}

function isOpen({ schedule }: Rule, { date, second, weekday }: Quarter): boolean {
  const exception = schedule.exceptions?.find(
    ({ starts_on, ends_on }) => starts_on <= date && date <= (ends_on ?? starts_on),
  )
  const ranges = exception?.ranges ?? schedule.weekdays[weekday]?.ranges ?? []
  return ranges.some(({ start, end }) => start <= second && second < end)
}

const periodsOfRules = new WeakMap<Rule, number[]>()

function periodsOf(rule: Rule, quarters: readonly Quarter[]): number[] {
  const known = periodsOfRules.get(rule) ?? findPeriods(rule, quarters)
  periodsOfRules.set(rule, known)
  return known
}

/** Returns the period of each quarter, as the place of its first one; -1 where the schedule is closed. */
function findPeriods(rule: Rule, quarters: readonly Quarter[]): number[] {
  const periods: number[] = []
  for (const [place, own] of quarters.entries()) {
    if (!isOpen(rule, own)) periods.push(-1)
    else if (place > 0 && periods[place - 1] !== -1) periods.push(periods[place - 1] as number)
    else periods.push(own.first_pass === place ? place : (periods[own.first_pass] ?? place))
  }
  return periods
}

interface Said {
  state: 'unlocked' | 'waiting'
  since: number
  until: number
}

function askRule(rule: Rule, quarters: readonly Quarter[], at: number): Said | null {
  const periods = periodsOf(rule, quarters)
  const ids = [...new Set(periods)].filter(period => period !== -1)
  const said = ids.flatMap(period => askPeriod(rule, quarters, periods, period, at) ?? [])
  const open = said.filter(({ state }) => state === 'unlocked')
  const longest = (open.length > 0 ? open : said).sort((a, b) => b.until - a.until)
  return longest[0] ?? null
}

function askPeriod(
  rule: Rule,
  quarters: readonly Quarter[],
  periods: readonly number[],
  period: number,
  at: number,
): Said | null {
  const start = period === 0 ? -Infinity : (quarters[period]?.at ?? 0)
  const last = periods.lastIndexOf(period)
  const end = last === periods.length - 1 ? Infinity : (quarters[last]?.at ?? 0) + quarter
  const awaited = start - (rule.first_person?.early_seconds ?? 0) * 1_000_000
  if (at < awaited || at >= end) return null
  let state: 'waiting' | 'live' | 'over' = rule.first_person ? 'waiting' : 'live'
  let since = rule.first_person ? awaited : start
  let until = end
  for (const event of eventsOf(rule).filter(({ at }) => at >= awaited && at < end)) {
    const next = step(state, event, start)
    if (next === state) continue
    if (event.at > at) {
      until = Math.min(until, event.at)
      break
    }
    state = next
    since = event.at
  }
  if (state === 'waiting') return rule.first_person?.before === 'closed' ? { state, since, until } : null
  const here = quarters.findLastIndex(other => other.at <= at)
  if (state === 'over' || periods[here] !== period) return null
  return { state: 'unlocked', ...within(periods, quarters, here, since, until) }
}

function eventsOf({ arrivals, departures }: Rule): { at: number; kind: 'left' | 'came' }[] {
  return [
    ...(departures ?? []).map(time => ({ at: instant(time), kind: 'left' as const })),
    ...(arrivals ?? []).map(time => ({ at: instant(time), kind: 'came' as const })),
  ].sort((a, b) => a.at - b.at)
}

function step(state: 'waiting' | 'live' | 'over', event: { at: number; kind: string }, start: number) {
  if (state === 'waiting' && event.kind === 'came') return 'live'
  if (state !== 'live' || event.kind === 'came') return state
  if (event.at >= start) return 'over'
  return state === 'live' ? 'waiting' : state
}

/** Cuts a time to the open quarters without a gap around a place. */
function within(
  periods: readonly number[],
  quarters: readonly Quarter[],
  here: number,
  since: number,
  until: number,
) {
  const first = periods.lastIndexOf(-1, here) + 1
  const next = periods.indexOf(-1, here)
  return {
    since: first === 0 ? since : Math.max(since, quarters[first]?.at ?? 0),
    until: next === -1 ? until : Math.min(until, quarters[next]?.at ?? 0),
  }
}

/** Returns the end of an override until the next turn; null if there is none. */
function findTurn(rules: readonly Rule[], quarters: readonly Quarter[], set: number): number | null {
  const periods = rules.map(rule => periodsOf(rule, quarters))
  const open = quarters.map((_, index) => periods.some(own => own[index] !== -1))
  const place = quarters.findIndex(
    (own, index) => own.at > set && index > 0 && open[index] !== open[index - 1],
  )
  return quarters[place]?.at ?? null
}

/** Returns the mode of a door near the anchor; `at` is null if the clock is not sure. */
export function judgeMode(door: LooseDoor, anchor: number, at: number | null): OracleMode {
  const quarters = quartersAround(door.site.timezone, anchor)
  const canHold = door.door.hold_action_id != null
  const rules = door.rules
    .filter(rule => rule.is_enabled && !rule.is_deleted && rule.gadget_ids.includes(door.gadget_id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const said = at === null ? [] : rules.map(rule => ({ rule, said: askRule(rule, quarters, at) }))
  const lasting = door.emergencies
    ? [...door.emergencies].filter(row => row.ended_at == null && concerns(row, door) && !isOver(row, at))
    : []
  const evacuations = lasting.filter(({ type }) => type === 'evacuation')
  const locking = lasting.filter(row => row.type === 'lockdown' && !opens(row, door))
  const opening = lasting.filter(row => row.type === 'lockdown' && opens(row, door))
  const override = judgeOverride(door, rules, quarters, at)
  const open = said.filter(one => one.said?.state === 'unlocked' && canHold)
  const waiting = override || open.length > 0 ? [] : said.filter(one => one.said?.state === 'waiting')
  const waits = waiting.map(({ rule }) => ({
    reason: 'supervisor_absent',
    groups: [...(rule.first_person?.member_group_ids ?? [])],
  }))
  const fire = door.fire
  if (fire?.since && (door.door.egress === 'electric' || fire.release_gadget_ids?.includes(door.gadget_id)))
    return { ...plain('evacuation', 'fire'), since: instant(fire.since) }
  if (evacuations.length > 0) return byEmergencies('evacuation', evacuations)
  if (locking.length > 0) {
    const groups = locking
      .map(row => [...(row.exempt_member_group_ids ?? [])])
      .reduce((a, b) => a.filter(group => b.includes(group)))
    return { ...byEmergencies('lockdown', locking), needs: [...waits, { reason: 'lockdown', groups }] }
  }
  if (opening.length > 0 && canHold) return byEmergencies('unlocked', opening)
  if (override) return override
  const rule = longest(open) ?? longest(waiting)
  return {
    ...(open.length > 0 ? plain('unlocked', 'unlock_rule') : plain('controlled', 'default')),
    since: finite(rule?.said?.since),
    until: finite(rule?.said?.until),
    unlock_rule_id: rule?.rule.id ?? null,
    needs: waits,
  }
}

function judgeOverride(
  door: LooseDoor,
  rules: readonly Rule[],
  quarters: readonly Quarter[],
  at: number | null,
): OracleMode | null {
  const { override } = door
  if (!override || override.is_deleted) return null
  if (override.mode === 'unlocked' && door.door.hold_action_id == null) return null
  if (override.mode === 'unlocked' && override.lasts !== 'indefinitely' && at === null) return null
  const set = instant(override.set_at)
  const turn = findTurn(rules, quarters, set)
  const end = { indefinitely: null, until: instant(override.until ?? ''), until_turn: turn }[override.lasts]
  if (override.lasts === 'until_turn' && turn === null && override.mode === 'unlocked') return null
  if (end !== null && at !== null && at >= end) return null
  return { ...plain(override.mode, 'override'), since: set, until: end }
}

type Emergency = LooseDoor['emergencies'] extends Iterable<infer Row> ? Row : never

function concerns({ targets }: Emergency, { gadget_id, site_id, tag_ids }: LooseDoor): boolean {
  const { excluded_gadget_ids, gadget_ids, site_ids } = targets
  const tagged = tag_ids.some(tag => targets.tag_ids?.includes(tag))
  if (excluded_gadget_ids?.includes(gadget_id)) return false
  return [gadget_ids?.includes(gadget_id), site_ids?.includes(site_id), tagged].includes(true)
}

function endOf({ ends_at, held_until }: Emergency): number {
  return Math.min(...[ends_at, held_until].map(time => (time ? instant(time) : Infinity)))
}

function isOver(row: Emergency, at: number | null): boolean {
  return at !== null && endOf(row) <= at
}

function opens({ unlocked_gadget_ids }: Emergency, { gadget_id }: LooseDoor): boolean {
  return unlocked_gadget_ids?.includes(gadget_id) ?? false
}

function byEmergencies(effective: OracleMode['effective'], rows: Emergency[]): OracleMode {
  return {
    ...plain(effective, 'emergency'),
    since: Math.min(...rows.map(({ started_at }) => instant(started_at))),
    until: finite(Math.max(...rows.map(endOf))),
    emergency_ids: rows
      .map(({ id, started_at }): [number, string] => [instant(started_at), id])
      .sort(([since, id], [otherSince, otherId]) => since - otherSince || (id < otherId ? -1 : 1))
      .map(([, id]) => id),
  }
}

function plain(effective: OracleMode['effective'], source: OracleMode['source']): OracleMode {
  return {
    effective,
    source,
    since: null,
    until: null,
    unlock_rule_id: null,
    emergency_ids: [],
    needs: [],
  }
}

function longest<One extends { said: Said | null }>(said: readonly One[]): One | undefined {
  return said.toSorted((a, b) => (b.said?.until ?? 0) - (a.said?.until ?? 0))[0]
}

function finite(at: number | undefined): number | null {
  return at !== undefined && Number.isFinite(at) ? at : null
}

function instant(timestamp: string): number {
  return timestamp === '' ? 0 : Temporal.Instant.from(timestamp).epochMilliseconds * 1000
}
