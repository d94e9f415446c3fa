import type { SliceRows } from '@gatehouse-access/api'
import { finish, fromMicroseconds } from '@gatehouse-access/core'
import { expect, test } from 'vitest'
import { lookAtDoors } from '../src/modes/look-at-doors.ts'
import { compileSmall } from '../src/policy/slice-policy.ts'
import { monday, rule, slice, street } from './moded-doors.ts'
import { ownDevice } from './slices.ts'

test('a door with many rules is looked at in many steps, so that nobody else waits for all of them', () => {
  const count = 50
  const numbers = Array.from({ length: count }, (_, index) => index)
  const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 0, end: 86_400 }] }))
  // Closed on one day, each on another one, so that no two of them are the same every week.
  const special = (index: number) => [
    { starts_on: `2026-07-${10 + (index % 20)}`, ends_on: `2026-07-${10 + (index % 20)}`, ranges: [] },
  ]
  const rows = {
    ...slice,
    schedules: numbers.map(index => ({ id: `sch_${index}`, weekdays, exceptions: special(index) })),
    unlock_rules: numbers.map(index => ({ ...rule, id: `ur_${index}`, schedule_id: `sch_${index}` })),
    overrides: [
      {
        id: street.id,
        mode: 'controlled',
        lasts: 'until_turn',
        set_at: fromMicroseconds(monday),
      },
    ],
  } as unknown as SliceRows
  const compiled = finish(compileSmall(rows))
  const gadgets = new Map(rows.gadgets?.map(gadget => [gadget.id, gadget]))
  const policy = { compiled, rows: () => gadgets as never }
  const steps = lookAtDoors(policy, ownDevice, monday)
  let taken = 0
  let last = steps.next()
  for (; !last.done; last = steps.next()) taken++
  expect(last.value.tasks.find(({ gadget }) => gadget.id === street.id)?.mode.effective).toBe('controlled')
  expect(taken).toBeGreaterThan(count)
})
