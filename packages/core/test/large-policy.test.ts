import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, compilePolicy, decide, type PolicyRows, type Question } from '../src/index.ts'
import { runs } from './runs.ts'

/** Rows per kind in the large policy. It must answer like a small policy with the same relevant rows. */
const size = 40_000
const living = { is_deleted: false }
const unbounded = { starts_at: null, ends_at: null, ...living }

function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(20, '0')}`
}

function member(number: number, change = {}) {
  return { id: idOf('mem', number), ...unbounded, ...change }
}

function gadget(number: number, change = {}) {
  const [site_id, device_id] = [idOf('site', number % 2), idOf('dev', 0)]
  return { id: idOf('gad', number), site_id, device_id, actions: [{ id: 'open' }], ...living, ...change }
}

function association(number: number, group: number, change = {}) {
  const [id, member_id] = [idOf('mga', number), idOf('mem', number)]
  return { id, member_id, member_group_id: idOf('mg', group), ...unbounded, ...change }
}

const rows: PolicyRows = {
  sites: [0, 1].map(number => ({ id: idOf('site', number), timezone: 'UTC', ...living })),
  devices: [{ id: idOf('dev', 0), ...living }],
  gadgets: Array.from({ length: size }, (_, number) => gadget(number)),
  schedules: [],
  groups: [0, 1].map(number => ({
    id: idOf('mg', number),
    permissions: [{ site_id: idOf('site', number) }],
    ...living,
  })),
  members: Array.from({ length: size }, (_, number) => member(number)),
  associations: Array.from({ length: size }, (_, number) => association(number, 0)),
  credentials: [],
}

/** A few of the many ids, repeatedly, and some that are added later, beyond the initial capacity. */
const anyNumber = fc.constantFrom(0, 1, 2, 3, size - 1, size, size + 1, size + 40_000)
const ended = { ends_at: '2000-01-01T00:00:00.000000Z' }
const anyStep = fc.oneof(
  fc.record({ ask: anyNumber, gadget: anyNumber }),
  fc.record({ ask: anyNumber, gadget: anyNumber }),
  fc
    .record({ number: anyNumber, change: fc.constantFrom({}, { is_deleted: true }, ended) })
    .map(({ number, change }) => ({ kind: 'members' as const, row: member(number, change) })),
  fc
    .record({
      number: anyNumber,
      change: fc.constantFrom({}, { is_deleted: true }, { site_id: idOf('site', 1) }),
    })
    .map(({ number, change }) => ({ kind: 'gadgets' as const, row: gadget(number, change) })),
  fc
    .record({
      number: anyNumber,
      group: fc.nat(1),
      change: fc.constantFrom({}, { is_deleted: true }, ended),
    })
    .map(({ number, group, change }) => ({
      kind: 'associations' as const,
      row: association(number, group, change),
    })),
)

/** The newest rows of only those objects that the test asks about, compiled as a separate small policy. */
function smallRows(): PolicyRows {
  const few = [0, 1, 2, 3, size - 1]
  return {
    ...rows,
    gadgets: few.map(number => gadget(number)),
    members: few.map(number => member(number)),
    associations: few.map(number => association(number, 0)),
  }
}

test('in a large policy every answer follows the last change, also of what was just asked about', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 100, maxLength: 200 }), steps => {
      const [large, small] = [compilePolicy(rows), compilePolicy(smallRows())]
      for (const step of steps)
        if ('ask' in step) {
          const question: Question = {
            member_id: idOf('mem', step.ask),
            gadget_id: idOf('gad', step.gadget),
            action_id: 'open',
            at: 1_790_000_000_000_000,
          }
          const answers = [1, 2, 3].map(() => decide(large, question))
          expect(answers).toEqual(Array.from({ length: 3 }, () => decide(small, question)))
        } else for (const policy of [large, small]) applyChange(policy, step.kind, step.row as never)
    }),
    // Compiling is slow, so shrinking a failure would take too long.
    { ...runs(3, 100), endOnFailure: true },
  )
})
