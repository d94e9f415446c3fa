import { addSeconds } from '@gatehouse-access/core'
import { manyOr } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { burstUntil } from '../../packages/server/src/telling/burst.ts'
import { hoursOf } from '../../packages/server/src/telling/hours.ts'
import type { Hours, Matter, Telling, ToldOf } from '../../packages/server/src/telling/matter.ts'
import { type Group, pace, type Sent } from '../../packages/server/src/telling/pace.ts'
import { plan } from '../../packages/server/src/telling/plan.ts'
import { quietUntil } from '../../packages/server/src/telling/quiet-hours.ts'

const start = '2026-11-17T00:00:00.000000Z'
const at = (seconds: number) => addSeconds(start, seconds)
const secondsOf = (time: string) => (Date.parse(time) - Date.parse(start)) / 1000

/** Open from 8:00 to 18:00 UTC. */
const daytime: Hours = {
  opensAt(time) {
    const second = secondsOf(time) % 86_400
    if (second >= 28_800 && second < 64_800) return time
    const day = secondsOf(time) - second
    return at(second < 28_800 ? day + 28_800 : day + 86_400 + 28_800)
  },
}
const always: Hours = { opensAt: time => time }

function random(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return below => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const untold: Telling = {
  ...{ due_at: start, is_told: false, told_at: null, told_since: null, repeated_at: null },
  ...{ repeat_count: 0, escalation_count: 0 },
}

interface Told {
  readonly reason: string
  readonly second: number
  readonly alarm: ToldOf
}

/** Lives through days of one alarm and one rule: what is due is planned, and in between something happens. */
function live(seed: number) {
  const pick = random(seed)
  const rule = {
    delay_seconds: [0, 60, 600][pick(3)] ?? 0,
    notify: [{ role: 'owner' as const }],
    repeat_seconds: pick(2) === 0 ? null : 60 + pick(3600),
    escalate: pick(2) === 0 ? [] : [{ after_seconds: 60 + pick(7200), notify: [{ user_id: 'usr_1' }] }],
  }
  const hours = pick(2) === 0 ? always : daytime
  let alarm: ToldOf = {
    ...{ severity: 'warning', state: 'open', is_over: false, ended_at: null, last_occurred_at: start },
    ...{ is_late: false, in_maintenance: pick(8) === 0, cause_alarm_id: pick(6) === 0 ? 'alm_1' : null },
  }
  let telling: Telling | 'done' = untold
  const told: Told[] = []
  const wrong: string[] = []
  const look = (now: string) => {
    if (telling === 'done' || telling.due_at === null || telling.due_at > now) return
    const matter: Matter = { telling, alarm, rule, hours }
    const planned = plan(matter, now)
    for (const { reason } of planned.tell) {
      told.push({ reason, second: secondsOf(now), alarm })
      if (reason === 'ended') continue
      if (alarm.cause_alarm_id !== null || alarm.in_maintenance || alarm.state !== 'open')
        wrong.push(`${reason} of what nobody is told of`)
      if (!alarm.is_over && hours.opensAt(now) !== now) wrong.push(`${reason} outside of the schedule`)
      if (now < addSeconds(alarm.last_occurred_at, rule.delay_seconds))
        wrong.push(`${reason} before the delay`)
    }
    if (planned.next !== 'done' && planned.next.due_at !== null && planned.next.due_at <= now)
      wrong.push('it is due again at once, for ever')
    telling = planned.next
  }
  const note = (now: string, anew: boolean) => {
    if (telling === 'done' && !anew) return
    const known: Telling = telling === 'done' ? untold : telling
    telling = anew
      ? { ...known, due_at: now, is_told: false, repeated_at: null, repeat_count: 0, escalation_count: 0 }
      : { ...known, due_at: now }
  }
  for (let second = 0; second < 3 * 86_400; second += 60) {
    const now = at(second)
    look(now)
    if (pick(200) > 0) continue
    const turn = pick(4)
    if (turn === 0 && !alarm.is_over) {
      alarm = { ...alarm, is_over: true, ended_at: now }
      note(now, false)
    } else if (turn === 1 && alarm.is_over) {
      alarm = { ...alarm, is_over: false, ended_at: null, last_occurred_at: now, state: 'open' }
      note(now, true)
    } else if (turn === 2) alarm = { ...alarm, state: 'acknowledged' }
    else if (turn === 3 && alarm.cause_alarm_id !== null && !alarm.is_over) {
      alarm = { ...alarm, cause_alarm_id: null }
      note(now, true)
    }
  }
  return { told, wrong }
}

test('whatever happens to an alarm, nobody is told too early, too often or of what is explained', () => {
  const problems: string[] = []
  for (let seed = 1; seed <= manyOr(12); seed++) {
    const { told, wrong } = live(seed)
    problems.push(...wrong.map(one => `seed ${seed}: ${one}`))
    const repeats = Map.groupBy(
      told.filter(({ reason }) => reason === 'repeated'),
      ({ alarm }) => alarm.last_occurred_at,
    )
    for (const [since, list] of repeats)
      if (list.length > 20) problems.push(`seed ${seed}: ${list.length} repetitions since ${since}`)
    let known = 0
    for (const { reason } of told) {
      if (reason === 'ended' && known === 0) problems.push(`seed ${seed}: an end without a beginning`)
      known = reason === 'ended' ? 0 : known + 1
    }
  }
  expect(problems).toEqual([])
})

test('in any hour, a recipient gets at most 20 messages, and nothing waits for ever', () => {
  const problems: string[] = []
  for (let seed = 1; seed <= manyOr(10); seed++) {
    const pick = random(seed)
    const sent: Sent[] = []
    let waiting: Group[] = []
    let due = start
    let last = 0
    for (let second = 0; second < 4 * 3600; second += 20) {
      const now = at(second)
      const count = second < 3 * 3600 && pick(3) === 0 ? pick(12) : 0
      for (let index = 0; index < count; index++)
        waiting.push({ group_key: `${second} ${index}`, rank: 1 + pick(3), is_end: pick(4) === 0 })
      if (waiting.length === 0 || due > now) continue
      const inLastHour = () => sent.filter(({ at }) => at > addSeconds(now, -3600))
      const before = inLastHour()
      const { alone, together, held, until } = pace(waiting, before, now)
      const first = alone[0]
      if (first && waiting.some(({ rank }) => rank > first.rank))
        problems.push(`seed ${seed}: not the gravest first`)
      for (const _ of alone) sent.push({ at: now, is_digest: false })
      if (together.length > 0) sent.push({ at: now, is_digest: true })
      waiting = [...held]
      due = held.length > 0 ? until : start
      last = waiting.length
      if (inLastHour().length > 20) problems.push(`seed ${seed}: more than 20 in the hour before ${now}`)
    }
    if (last > 0) problems.push(`seed ${seed}: ${last} wait for ever`)
  }
  expect(problems).toEqual([])
})

test('a critical alarm is told at once, although many warnings came before it, and digests go on', () => {
  const group = (rank: number): Group => ({ group_key: String(rank), rank, is_end: false })
  const sent: Sent[] = []
  const criticals: number[] = []
  let held = 0
  for (let minute = 0; minute < 60; minute++) {
    const now = at(minute * 60)
    const groups = [
      ...Array.from({ length: 3 + held }, () => group(2)),
      ...(minute % 15 === 14 ? [group(3)] : []),
    ]
    const paced = pace(groups, sent, now)
    for (const { rank } of paced.alone) {
      sent.push({ at: now, is_digest: false })
      if (rank === 3) criticals.push(minute)
    }
    if (paced.together.length > 0) sent.push({ at: now, is_digest: true })
    held = paced.held.length
  }
  expect(criticals).toEqual([14, 29, 44, 59])
  expect(sent.filter(({ is_digest }) => is_digest)).toHaveLength(5)
  expect(sent.length).toBeLessThanOrEqual(20)
})

test('what goes on and on is told in a few messages, unless it is critical', () => {
  const times: number[] = []
  for (let second = 10; second < 600; second += 10) {
    const before = times.map(time => at(time))
    if (burstUntil({ rank: 2 }, before) <= at(second)) times.push(second)
  }
  expect(times).toEqual([10, 30, 70, 150, 310])
  expect(burstUntil({ rank: 3 }, [at(0), at(5)])).toBe('')
})

test('quiet hours end at their local time, also over midnight and over a change of the clocks', () => {
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Madrid' }
  const change = '2027-03-28T01:00:00.000000Z'
  const offsetAt = (_zone: string, time: string) => (time < change ? 3600 : 7200)
  expect(quietUntil(quiet, '2027-03-27T20:59:00.000000Z', offsetAt)).toBeNull()
  expect(quietUntil(quiet, '2027-03-27T21:00:00.000000Z', offsetAt)).toBe('2027-03-28T05:00:00.000000Z')
  expect(quietUntil(quiet, '2027-03-28T04:59:59.000000Z', offsetAt)).toBe('2027-03-28T05:00:00.000000Z')
  expect(quietUntil(quiet, '2027-03-28T05:00:00.000000Z', offsetAt)).toBeNull()
})

test('the schedule of a rule is compiled once, however many alarms ask for it', () => {
  let reads = 0
  const never = {
    get weekdays() {
      reads++
      return Array.from({ length: 7 }, () => ({ ranges: [] }))
    },
  }
  const hours = hoursOf(never, { timezone: 'UTC' })
  expect([at(0), at(0), at(60)].map(time => hours.opensAt(time))).toEqual([null, null, null])
  expect(reads).toBe(1)
})
