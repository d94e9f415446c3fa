import { toMicroseconds } from '@gatehouse-access/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { Feeder, keypad, ownDevice, pinHash } from './slices.ts'

const begin = toMicroseconds('2026-12-24T12:00:00Z')
const hours = (start: number, end: number) => [{ start: start * 3600, end: end * 3600 }]
const named = (id: string) => [{ id }]

const site = {
  id: 'site_a',
  timezone: 'Europe/Madrid',
  days: [
    { kind: 'holiday', from: '2026-12-25', to: '2026-12-26' },
    { kind: 'half_day', from: '2026-12-31', to: '2026-12-31', yearly: true },
  ],
  days_until: '2031-12-31',
}
const slice = {
  sites: [site],
  devices: [keypad([{ code: '', gadget_id: 'gad_door', action_id: 'open' }])],
  gadgets: [
    {
      id: 'gad_door',
      site_id: 'site_a',
      device_id: ownDevice,
      actions: named('open'),
      states: [],
      signals: [],
    },
  ],
  schedules: [
    {
      id: 'sch_day',
      weekdays: Array(7).fill({ ranges: hours(8, 18) }),
      special_days: [
        { kind: 'half_day', ranges: hours(9, 12) },
        { kind: 'holiday', ranges: [] },
      ],
      exceptions: [{ starts_on: '2032-05-05', ranges: hours(20, 21) }],
    },
  ],
  groups: [{ id: 'mg_day', permissions: [{ gadget_id: 'gad_door', schedule_id: 'sch_day', rule_index: 0 }] }],
  members: [
    {
      id: 'mem_a',
      associations: [{ id: 'mga_a', member_group_id: 'mg_day' }],
      credentials: [{ id: 'mp_a', kind: 'pin', hash: pinHash('111111') }],
    },
  ],
}

let folder: ReturnType<typeof makeFolder>
let platform: ManualPlatform
let edge: ReturnType<typeof startEdge>
let feeder: Feeder
let said: string[]

function start(): void {
  said = []
  edge = startEdge(platform, folder.path, undefined, { info: () => {}, error: line => said.push(line) })
}

beforeEach(async () => {
  folder = makeFolder()
  platform = new ManualPlatform(begin)
  start()
  feeder = new Feeder(edge.device)
  await feeder.snapshot(slice as never)
  edge.synchronize(begin)
})
afterEach(async () => {
  await edge[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function opensAt(time: string): Promise<boolean> {
  edge.synchronize(toMicroseconds(time))
  const [event] = await edge.type('111111#')
  return event?.type === 'use'
}

test('special days hold, also after a cold start', async () => {
  expect(await opensAt('2026-12-24T12:00:00Z')).toBe(true)
  expect(await opensAt('2026-12-25T12:00:00Z')).toBe(false)
  await edge[Symbol.asyncDispose]()
  platform.reboot(toMicroseconds('2020-01-01T00:00:00Z'))
  start()
  expect(await edge.type('111111#')).toMatchObject([{ type: 'denial', reason: 'clock_unsure' }])
  expect(await opensAt('2026-12-26T12:00:00Z')).toBe(false)
  expect(await opensAt('2026-12-28T12:00:00Z')).toBe(true)
  expect(await opensAt('2030-12-31T10:00:00Z')).toBe(true)
  expect(await opensAt('2030-12-31T12:00:00Z')).toBe(false)
})

test('beyond the last known day it fails closed and says so once', async () => {
  expect(await opensAt('2031-12-30T12:00:00Z')).toBe(true)
  await edge.station.tick()
  expect(said).toEqual([])
  expect(await opensAt('2032-01-02T12:00:00Z')).toBe(false)
  for (let second = 0; second < 3; second++) await edge.station.tick()
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('2031-12-31')
  // A yearly day goes on, and so do the schedule's own exceptions.
  expect(await opensAt('2032-12-31T10:00:00Z')).toBe(true)
  expect(await opensAt('2032-05-05T18:30:00Z')).toBe(true)
  await feeder.delta({ sites: [{ ...site, days_until: '2036-12-31' }] } as never)
  expect(await opensAt('2032-01-02T12:00:00Z')).toBe(true)
})

test('a table of the zone rules over the zone data of the runtime, also after a restart', async () => {
  const table = (offset: number) => ({
    id: 'Europe/Madrid',
    release: '2099z',
    from: '2026-01-01T00:00:00Z',
    until: '2032-01-01T00:00:00Z',
    offset,
    changes: [],
  })
  expect(await opensAt('2027-01-04T07:30:00Z')).toBe(true)
  await feeder.delta({ zones: [table(0)] } as never)
  expect(await opensAt('2027-01-04T07:30:00Z')).toBe(false)
  await feeder.delta({ zones: [table(5 * 3600)] } as never)
  expect(await opensAt('2027-01-04T03:30:00Z')).toBe(true)
  await edge[Symbol.asyncDispose]()
  start()
  expect(await opensAt('2027-01-04T03:30:00Z')).toBe(true)
  expect(await opensAt('2027-01-04T13:30:00Z')).toBe(false)
})
