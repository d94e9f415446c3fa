import {
  compilePolicy,
  decide,
  type EmergencyRow,
  explainSteps,
  type OverrideRow,
  type PolicyRows,
  type Question,
  toMicroseconds,
  type UnlockRuleRow,
} from '../../packages/core/src/index.ts'
import { median } from '../figures.ts'
import { drawQuestions, issueSize, makeOrganization } from './organization.ts'
import { type Contest, compareRounds } from './rounds.ts'

const now = toMicroseconds('2026-11-17T10:00:00.000000Z')
const before = '2026-11-17T09:00:00.000000Z'
const rulesInUse = 200
const doorsARule = 5

/** Decisions without doors, and with modes in use; and the longest step of a door with as many rules as there can be. */
export function measureModes(): void {
  const rows = makeOrganization(issueSize)
  // Decisions are about the present: a door keeps its mode for as long as it holds.
  const questions = drawQuestions(rows, 50_000).map((question, index) => ({ ...question, at: now + index }))
  // Where a policy happens to lie in memory makes a difference of 5 %, so each contest has several.
  const copies = Array.from({ length: 5 }, () => prepareContests(rows, questions))
  const times = compareRounds(copies.flat(), 6)
  const contests = copies[0] as Contest[]
  const typical = contests.map((_, index) =>
    median(copies.map((_, copy) => times[copy * contests.length + index] as number)),
  )
  const first = typical[0] as number
  for (const [index, { label }] of contests.entries()) {
    const time = typical[index] as number
    console.log(`${label.padEnd(44)} ${time.toFixed(1)} ns, ${(first / time).toFixed(3)} of the first`)
  }
  measureSteps()
}

function prepareContests(rows: PolicyRows, questions: Question[]): Contest[] {
  const doors = withDoors(rows)
  const ruled = { ...doors, unlock_rules: rulesOf(doors), overrides: overridesOf(doors) }
  return [
    contest('decide without doors', rows, questions),
    contest('decide with doors', doors, questions),
    contest('decide with 200 unlock rules, 100 overrides', ruled, questions),
    contest(
      'decide during a lockdown of one site',
      { ...ruled, emergencies: [lockdownOf(doors)] },
      questions,
    ),
  ]
}

function contest(label: string, rows: PolicyRows, questions: Question[]): Contest {
  const policy = compilePolicy(rows)
  return { label, sets: [questions], answer: question => decide(policy, question).allowed }
}

function withDoors(rows: PolicyRows): PolicyRows {
  const door = { release_action_id: 'open', hold_action_id: 'open', secure_action_id: 'close' }
  return { ...rows, gadgets: rows.gadgets.map(gadget => ({ ...gadget, door })) }
}

/** Each opens for an hour in the night, so that it decides nothing now but has to be asked. */
function rulesOf({ gadgets, schedules }: PolicyRows): UnlockRuleRow[] {
  return Array.from({ length: rulesInUse }, (_, index) => ({
    id: `ur_${index}`,
    gadget_ids: gadgets.slice(index * doorsARule, (index + 1) * doorsARule).map(({ id }) => id),
    schedule_id: schedules[index % schedules.length]?.id ?? '',
    first_person: { member_group_ids: ['mg_none'], early_seconds: 0, before: 'controlled' as const },
    is_enabled: true,
    is_deleted: false,
  }))
}

function overridesOf({ gadgets }: PolicyRows): OverrideRow[] {
  return gadgets.slice(0, 100).map(({ id }) => ({
    id,
    mode: 'controlled' as const,
    lasts: 'until_turn' as const,
    set_at: before,
    is_deleted: false,
  }))
}

function lockdownOf({ sites }: PolicyRows): EmergencyRow {
  return {
    id: 'em_1',
    type: 'lockdown',
    targets: { site_ids: [sites[0]?.id ?? ''] },
    started_at: before,
  }
}

/** One door, 200 rules whose schedules never close together, and an override until they turn. */
function measureSteps(): void {
  const policy = compilePolicy(crowdedDoor())
  const question = { member_id: 'mem_a', gadget_id: 'gad_a', action_id: 'open', at: now }
  const steps = explainSteps(policy, question)
  let [longest, total] = [0, 0]
  for (let done = false; !done; ) {
    const begin = performance.now()
    done = steps.next().done === true
    const took = performance.now() - begin
    longest = Math.max(longest, took)
    total += took
  }
  console.log(
    `a door with ${rulesInUse} rules: ${total.toFixed(1)} ms, longest step ${longest.toFixed(2)} ms`,
  )
}

function crowdedDoor(): PolicyRows {
  const living = { is_deleted: false }
  const unbounded = { starts_at: null, ends_at: null, ...living }
  const numbers = Array.from({ length: rulesInUse }, (_, index) => index)
  const minutes = Array.from({ length: 100 }, (_, index) => index * 864)
  const ranges = (shift: number) =>
    minutes.map(start => ({ start: start + (shift % 2) * 432, end: start + (shift % 2) * 432 + 432 }))
  return {
    sites: [{ id: 'site_a', timezone: 'Europe/Madrid', ...living }],
    devices: [{ id: 'dev_a', ...living }],
    gadgets: [
      {
        id: 'gad_a',
        site_id: 'site_a',
        device_id: 'dev_a',
        actions: [{ id: 'open' }, { id: 'hold' }, { id: 'lock' }],
        door: { release_action_id: 'open', hold_action_id: 'hold', secure_action_id: 'lock' },
        ...living,
      },
    ],
    schedules: numbers.map(index => ({
      id: `sch_${index}`,
      weekdays: Array.from({ length: 7 }, () => ({ ranges: ranges(index) })),
      ...living,
    })),
    groups: [{ id: 'mg_a', permissions: [{ site_id: 'site_other' }], ...living }],
    members: [{ id: 'mem_a', ...unbounded }],
    associations: [{ id: 'mga_a', member_id: 'mem_a', member_group_id: 'mg_a', ...unbounded }],
    credentials: [],
    unlock_rules: numbers.map(index => ({
      id: `ur_${index}`,
      gadget_ids: ['gad_a'],
      schedule_id: `sch_${index}`,
      first_person: { member_group_ids: ['mg_a'], early_seconds: 14_400, before: 'closed' as const },
      is_enabled: true,
      ...living,
    })),
    overrides: [{ id: 'gad_a', mode: 'controlled', lasts: 'until_turn', set_at: before, ...living }],
  }
}
