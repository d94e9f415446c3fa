import {
  compilePolicy,
  dateOfDay,
  dayOfDate,
  decide,
  explain,
  type PolicyRows,
  type Question,
  type ScheduleRow,
  toMicroseconds,
} from '../../packages/core/src/index.ts'
import { createDraw, drawQuestions, issueSize, makeOrganization } from './organization.ts'
import { type Contest, compareRounds } from './rounds.ts'

const today = dayOfDate('2026-11-16')
const calendars = 10
const daysACalendar = 500
const exceptions = 400

/**
 * Decisions without special days, beside those of another checkout if `GATEHOUSE_BEFORE` names it, and with as
 * many as there can be; and how long it takes to find the next time over a year of exceptions.
 */
export async function measureCalendars(): Promise<void> {
  const rows = makeOrganization(issueSize)
  const questions = drawQuestions(rows, 50_000)
  const contests = await prepareContests(rows, questions)
  const times = compareRounds(contests, 20)
  const first = times[0] as number
  for (const [index, { label }] of contests.entries()) {
    const time = times[index] as number
    console.log(`${label.padEnd(44)} ${time.toFixed(1)} ns, ${(first / time).toFixed(3)} of the first`)
  }
  measureNext()
}

async function prepareContests(rows: PolicyRows, questions: Question[]): Promise<Contest[]> {
  const before = process.env.GATEHOUSE_BEFORE
  const earlier: typeof import('../../packages/core/src/index.ts') | undefined =
    before && (await import(`${before}/packages/core/src/index.ts`))
  const contests = [
    earlier && contest('decide of the other checkout', earlier, rows, questions),
    contest('decide without special days', { compilePolicy, decide }, rows, questions),
    contest(
      'decide with 400 exceptions and 10 calendars',
      { compilePolicy, decide },
      withDays(rows),
      questions,
    ),
  ]
  return contests.filter(entry => entry !== undefined)
}

interface Engine {
  compilePolicy: typeof compilePolicy
  decide: typeof decide
}

function contest(label: string, engine: Engine, rows: PolicyRows, questions: Question[]): Contest {
  const policy = engine.compilePolicy(rows)
  return { label, sets: [questions], answer: question => engine.decide(policy, question).allowed }
}

/** Every schedule has exceptions and reacts to two kinds, and every site observes all calendars. */
export function withDays(rows: PolicyRows): PolicyRows {
  const draw = createDraw(3)
  const ids = Array.from({ length: calendars }, (_, index) => `cal_${index}`)
  return {
    ...rows,
    schedules: rows.schedules.map(schedule => ({ ...schedule, ...daysOf(schedule) })),
    sites: rows.sites.map(site => ({ ...site, calendar_ids: ids })),
    calendars: ids.map(id => ({ id, is_deleted: false })),
    calendar_days: ids.flatMap(calendar_id =>
      Array.from({ length: daysACalendar }, (_, index) => ({
        id: `cld_${calendar_id}_${index}`,
        calendar_id,
        kind: index % 2 === 0 ? 'holiday' : 'half_day',
        starts_on: dateOfDay(today - 30 + draw(1500)),
        ends_on: null,
        recurrence: 'none' as const,
        is_deleted: false,
      })),
    ),
  }
}

/** Every fourth day, around and ahead of today. */
function daysOf({ weekdays }: ScheduleRow): Pick<ScheduleRow, 'special_days' | 'exceptions'> {
  const ranges = weekdays[0]?.ranges ?? []
  return {
    special_days: [
      { kind: 'holiday', ranges: [] },
      { kind: 'half_day', ranges },
    ],
    exceptions: Array.from({ length: exceptions }, (_, index) => ({
      starts_on: dateOfDay(today - 40 + index * 4),
      ranges,
    })),
  }
}

/**
 * The worst cases: open on all days, but every one of the next 365 is closed by an exception of its own, or by a
 * holiday of one of ten calendars.
 */
export function measureNext(): void {
  for (const by of ['exceptions', 'holidays'] as const) measureClosed(by)
}

function measureClosed(by: 'exceptions' | 'holidays'): void {
  const policy = compilePolicy(closedForAYear(by))
  const from = toMicroseconds('2026-11-16T00:00:00.000000Z')
  const took: number[] = []
  for (let index = 0; index < 2000; index++) {
    const question = {
      member_id: 'mem_a',
      gadget_id: 'gad_a',
      action_id: 'open',
      at: from + index * 60_000_000,
    }
    // A busy machine only adds time.
    took.push(Math.min(...Array.from({ length: 5 }, () => timeOf(() => explain(policy, question)))))
  }
  const sorted = took.slice(200).sort((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] as number).toFixed(3)} ms`
  console.log(`next_allowed_at over a year of ${by}: median ${at(0.5)}, p99 ${at(0.99)}, most ${at(0.9999)}`)
}

function timeOf(run: () => unknown): number {
  const begin = performance.now()
  run()
  return performance.now() - begin
}

function closedForAYear(by: 'exceptions' | 'holidays'): PolicyRows {
  const living = { is_deleted: false }
  const unbounded = { starts_at: null, ends_at: null, ...living }
  const ids = Array.from({ length: calendars }, (_, index) => `cal_${index}`)
  const rows: PolicyRows = {
    sites: [{ id: 'site_a', timezone: 'Europe/Madrid', ...living }],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [{ id: 'gad_a', site_id: 'site_a', device_id: 'dev_a', actions: [{ id: 'open' }], ...living }],
    schedules: [
      {
        id: 'sch_a',
        weekdays: Array.from({ length: 7 }, () => ({ ranges: [{ start: 28_800, end: 64_800 }] })),
        ...living,
      },
    ],
    groups: [{ id: 'mg_a', permissions: [{ schedule_id: 'sch_a' }], ...living }],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
  }
  const full = withDays(rows)
  const closed = Array.from({ length: exceptions }, (_, index) => ({
    starts_on: dateOfDay(today - 20 + index),
    ranges: [],
  }))
  const holidays = (full.calendar_days ?? []).map((day, index) => ({
    ...day,
    kind: 'holiday',
    starts_on: dateOfDay(today - 20 + (index % exceptions)),
  }))
  return {
    ...full,
    sites: full.sites.map(site => ({ ...site, calendar_ids: ids })),
    schedules: full.schedules.map(schedule => ({
      ...schedule,
      exceptions: by === 'exceptions' ? closed : [],
    })),
    ...(by === 'holidays' && { calendar_days: holidays }),
  }
}
