import fc from 'fast-check'
import { expect, test } from 'vitest'
import { within } from '../../testkit/src/soak.ts'
import {
  accessMethods,
  applyChange,
  compilePolicy,
  decide,
  explain,
  type Policy,
  type PolicyKind,
  type PolicyRow,
  type PolicyRows,
  toMicroseconds,
  whatMayUse,
  whoMayUse,
} from '../src/index.ts'
import { anyCalendar, anyCalendarDay } from './arbitrary-days.ts'
import {
  anyDoorGadget,
  anyDoorWorld,
  anyEmergencyRow,
  anyOverrideRow,
  anyUnlockRuleRow,
} from './arbitrary-modes.ts'
import {
  anyAssociation,
  anyCredential,
  anyDevice,
  anyGadget,
  anyGroup,
  anyMember,
  anySchedule,
  anySite,
  anyWorld,
  idOf,
  type World,
} from './arbitrary-policy.ts'
import { runs } from './runs.ts'

interface Change {
  kind: PolicyKind
  row: PolicyRow<PolicyKind>
}

function of(kind: PolicyKind, make: (number: number) => fc.Arbitrary<Change['row']>, most: number) {
  return fc.nat(most).chain(number => make(number).map((row): Change => ({ kind, row })))
}

function anyChange(anchor: string): fc.Arbitrary<Change> {
  const zone = fc.constantFrom('Europe/Madrid', 'Pacific/Apia', 'Asia/Kathmandu')
  return fc.oneof(
    of('sites', number => zone.chain(name => anySite(idOf('site', number), name, anchor)), 4),
    of('devices', number => anyDevice(idOf('dev', number), anchor), 4),
    of('gadgets', number => anyGadget(idOf('gad', number)), 4),
    of('schedules', number => anySchedule(idOf('sch', number), anchor), 4),
    of('groups', anyGroup, 3),
    of('members', number => anyMember(idOf('mem', number), anchor), 6),
    of('associations', number => anyAssociation(number, anchor), 30),
    of(
      'associations',
      number => anyAssociation(number, anchor).map(row => ({ ...row, is_deleted: true })),
      30,
    ),
    of('credentials', number => anyCredential(number, anchor), 6),
    of('calendars', anyCalendar, 2),
    of('calendar_days', number => anyCalendarDay(number, anchor), 8),
  )
}

function anyModeChange(anchor: string): fc.Arbitrary<Change> {
  return fc.oneof(
    of('gadgets', number => anyDoorGadget(idOf('gad', number)), 4),
    of('unlock_rules', number => anyUnlockRuleRow(number, anchor), 2),
    of('overrides', number => anyOverrideRow(number, anchor), 3),
    of('emergencies', number => anyEmergencyRow(number, anchor), 2),
  )
}

test('changes lead to the answers of a fresh compile, in whatever order rows come', () => {
  compare(anyWorld.map(withoutTables), anyChange, runs(100, 3000).numRuns)
})

/** The explanations of a world with doors follow their modes for a year, so a seed costs sixty times more. */
test('so do changes of doors and modes', within(60), () => {
  const anyOf = (anchor: string) => fc.oneof(anyChange(anchor), anyModeChange(anchor))
  compare(anyDoorWorld, anyOf, Number(process.env.GATEHOUSE_SEEDS ?? 1))
})

function compare(
  worlds: fc.Arbitrary<World>,
  anyOf: (anchor: string) => fc.Arbitrary<Change>,
  numRuns: number,
): void {
  const anyCase = worlds.chain(world =>
    fc.record({ world: fc.constant(world), changes: fc.array(anyOf(world.anchor), { maxLength: 40 }) }),
  )
  fc.assert(
    fc.property(anyCase, ({ world: { rows, anchor }, changes }) => {
      const changed = compilePolicy(rows)
      answers(changed, anchor)
      for (const { kind, row } of changes) applyChange(changed, kind, row as never)
      const fresh = compilePolicy(reversed(merge(rows, changes)))
      expect(answers(changed, anchor)).toEqual(answers(fresh, anchor))
    }),
    { numRuns },
  )
}

/** The tables of zones are not rows. */
function withoutTables({ rows: { zones: _, ...rows }, anchor }: World): World {
  return { rows, anchor }
}

function merge(rows: PolicyRows, changes: Change[]): PolicyRows {
  const tables = Object.fromEntries(
    Object.entries(rows).map(([kind, list]) => [
      kind,
      new Map(list.map((row: { id: string }) => [row.id, row])),
    ]),
  )
  for (const { kind, row } of changes) tables[kind]?.set(row.id, row)
  return mapTables(tables, table => [...table.values()])
}

function reversed(rows: PolicyRows): PolicyRows {
  return mapTables(rows as unknown as Record<string, unknown[]>, list => list.toReversed())
}

function mapTables<Table>(tables: Record<string, Table>, change: (table: Table) => unknown): PolicyRows {
  const changed = Object.entries(tables).map(([kind, table]) => [kind, change(table)])
  return Object.fromEntries(changed) as PolicyRows
}

/** Returns the answers to every possible question, with explanations. */
function answers(policy: Policy, anchor: string): unknown[] {
  const numbers = [0, 1, 2, 3, 4]
  const at = toMicroseconds(anchor)
  const people = numbers.flatMap(number => [
    { member_id: idOf('mem', number) },
    { credential_id: idOf('mp', number) },
  ])
  const places = numbers.flatMap(number =>
    ['open', 'close'].map(action_id => ({ gadget_id: idOf('gad', number), action_id })),
  )
  const questions = people.flatMap(who => places.map(place => ({ ...who, ...place, at })))
  return [
    questions.map((question, index) =>
      explain(policy, { ...question, access_method: accessMethods[index % 5] ?? 'pin' }),
    ),
    questions.map(question => explain(policy, question)),
    questions.map(question => decide(policy, question)),
    places.map(place => [...whoMayUse(policy, { ...place, at })]),
    numbers.map(number => [...whatMayUse(policy, { member_id: idOf('mem', number), at })]),
  ]
}
