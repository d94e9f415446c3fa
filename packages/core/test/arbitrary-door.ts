import fc from 'fast-check'
import { fromMicroseconds, type LooseDoor, toMicroseconds } from '../src/index.ts'

/** Zones with clock changes of 2026, both ways where there are both. */
export const clockChanges = [
  ['Europe/Madrid', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  ['Europe/London', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  ['Europe/Helsinki', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  ['Atlantic/Azores', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z', '2026-11-01T04:30:00Z'],
  ['America/Havana', '2026-03-08T05:00:00Z', '2026-11-01T05:00:00Z'],
  ['America/Santiago', '2026-09-06T04:00:00Z', '2026-04-05T03:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', '2026-10-29T21:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-04-04T15:00:00Z'],
  ['Australia/Adelaide', '2026-10-03T16:30:00Z', '2026-04-04T16:30:00Z'],
  ['Pacific/Auckland', '2026-09-26T14:00:00Z', '2026-04-04T14:00:00Z'],
] as const

const quarterSeconds = 900

function orNull<Value>(arbitrary: fc.Arbitrary<Value>, freq = 5): fc.Arbitrary<Value | null> {
  return fc.option(arbitrary, { freq, nil: null })
}
const gadget_id = 'gad_1'

const anyRanges = fc
  .uniqueArray(fc.oneof(fc.constantFrom(0, 4, 8, 9, 10, 11, 12, 88, 92, 96), fc.nat(96)), { maxLength: 6 })
  .map(bounds => bounds.sort((a, b) => a - b).map(bound => bound * quarterSeconds))
  .map(bounds => bounds.flatMap((start, place) => pair(start, bounds[place + 1], place)))

function pair(start: number, end: number | undefined, place: number) {
  return place % 2 === 0 && end !== undefined ? [{ start, end }] : []
}

/** Whole minutes around the anchor, often at the bounds of quarters. */
export function anyTime(anchor: string): fc.Arbitrary<string> {
  const minutes = fc.oneof(
    fc.integer({ min: -192, max: 192 }).map(count => count * 15),
    fc.integer({ min: -2880, max: 2880 }),
  )
  return minutes.map(count => fromMicroseconds(toMicroseconds(anchor) + count * 60_000_000))
}

export function anySchedule(anchor: string): fc.Arbitrary<LooseDoor['rules'][number]['schedule']> {
  const day = fc.oneof({ weight: 4, arbitrary: anyRanges }, { weight: 1, arbitrary: fc.constant(wholeDay) })
  return fc.record({
    weekdays: fc.oneof(
      day.map(ranges => Array.from({ length: 7 }, () => ({ ranges }))),
      fc.array(
        day.map(ranges => ({ ranges })),
        { minLength: 7, maxLength: 7 },
      ),
    ),
    exceptions: fc.oneof(
      fc.constant([]),
      anyRanges.map(ranges => [{ starts_on: anchor.slice(0, 10), ranges }]),
    ),
  })
}

const wholeDay = [{ start: 0, end: 86_400 }]
const anyGroups = fc.subarray(['mg_a', 'mg_b', 'mg_c'])

export function anyUnlockRule(id: string, anchor: string): fc.Arbitrary<LooseDoor['rules'][number]> {
  return fc.record({
    id: fc.constant(id),
    gadget_ids: fc.constantFrom([gadget_id], [gadget_id], [gadget_id], ['gad_2']),
    schedule_id: fc.constant('sch_1'),
    schedule: anySchedule(anchor),
    first_person: orNull(
      fc.record({
        member_group_ids: anyGroups,
        early_seconds: fc.constantFrom(0, 600, 1800, 3600, 14_400),
        before: fc.constantFrom('controlled' as const, 'closed' as const),
      }),
    ),
    is_enabled: fc.constantFrom(true, true, true, false),
    is_deleted: fc.constantFrom(false, false, false, false, true),
    arrivals: fc.array(anyTime(anchor), { maxLength: 4 }),
    departures: fc.array(anyTime(anchor), { maxLength: 2 }),
  })
}

export function anyEmergency(id: string, anchor: string) {
  const targets = fc.constantFrom(
    { site_ids: ['site_1'] },
    { gadget_ids: [gadget_id] },
    { tag_ids: ['tag_1'] },
    { site_ids: ['site_1'], excluded_gadget_ids: [gadget_id] },
    { site_ids: ['site_2'], gadget_ids: ['gad_2'], tag_ids: ['tag_2'] },
  )
  return fc.record({
    id: fc.constant(id),
    type: fc.constantFrom('lockdown' as const, 'lockdown' as const, 'evacuation' as const),
    targets,
    exempt_member_group_ids: anyGroups,
    unlocked_gadget_ids: fc.constantFrom([], [], [gadget_id]),
    started_at: anyTime(anchor),
    ends_at: orNull(anyTime(anchor)),
    ended_at: orNull(anyTime(anchor), 4),
    held_until: orNull(anyTime(anchor), 3),
  })
}

export function anyOverride(anchor: string) {
  return fc.record({
    id: fc.constant(gadget_id),
    mode: fc.constantFrom('unlocked' as const, 'controlled' as const),
    lasts: fc.constantFrom('until_turn' as const, 'until' as const, 'indefinitely' as const),
    until: anyTime(anchor),
    set_at: anyTime(anchor),
    is_deleted: fc.constantFrom(false, false, false, true),
  })
}

export interface DoorWorld {
  anchor: string
  door: LooseDoor
  times: string[]
}

/** A door with everything that may set its mode, most of the time only some of it. */
export const anyDoor: fc.Arbitrary<DoorWorld> = fc
  .constantFrom(
    ...clockChanges.flatMap(([zone, forward, back]) => [[zone, forward] as const, [zone, back] as const]),
  )
  .chain(([timezone, anchor]) =>
    fc.record({
      anchor: fc.constant(anchor),
      times: fc.array(anyTime(anchor), { minLength: 30, maxLength: 30 }),
      door: fc.record({
        gadget_id: fc.constant(gadget_id),
        site_id: fc.constant('site_1'),
        tag_ids: fc.constant(['tag_1']),
        site: fc.constant({ timezone }),
        door: fc.record({
          release_action_id: fc.constant('open'),
          hold_action_id: fc.constantFrom('hold', 'hold', 'hold', null),
          egress: fc.constantFrom('mechanical' as const, 'electric' as const),
        }),
        fire: orNull(
          fc.record({
            since: orNull(anyTime(anchor)),
            release_gadget_ids: fc.constantFrom([], [gadget_id]),
          }),
          1,
        ),
        override: orNull(anyOverride(anchor), 1),
        emergencies: fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          {
            weight: 1,
            arbitrary: fc.tuple(
              anyEmergency('em_1', anchor),
              anyEmergency('em_2', anchor),
              anyEmergency('em_3', anchor),
            ),
          },
        ),
        rules: fc
          .tuple(anyUnlockRule('ur_1', anchor), anyUnlockRule('ur_2', anchor))
          .chain(rules => fc.subarray(rules)),
      }),
    }),
  )
