import { generateKeyPairSync } from 'node:crypto'
import type { JournalEvent } from '@gatehouse-access/api'
import { fromMicroseconds, toMicroseconds } from '@gatehouse-access/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { cardHash, Feeder, keypad, makePass, ownDevice, pinHash, trigger } from './slices.ts'

const noon = toMicroseconds('2026-06-01T12:00:00Z')
const named = (...ids: string[]) => ids.map(id => ({ id }))
const gadget = {
  site_id: 'site_a',
  device_id: ownDevice,
  states: named('closed', 'open'),
  signals: named('bell'),
}
const everyDay = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * 3600, end: end * 3600 }] }))

const slice = {
  sites: [{ id: 'site_a', timezone: 'UTC' }],
  devices: [keypad([{ code: '', gadget_id: 'gad_door', action_id: 'open' }])],
  gadgets: [
    { ...gadget, id: 'gad_door', actions: named('open') },
    { ...gadget, id: 'gad_light', actions: named('on', 'off') },
  ],
  schedules: [{ id: 'sch_day', weekdays: everyDay(8, 18) }],
  groups: [
    { id: 'mg_always', permissions: [{ site_id: 'site_a', rule_index: 0 }] },
    { id: 'mg_day', permissions: [{ gadget_id: 'gad_door', schedule_id: 'sch_day', rule_index: 3 }] },
  ],
  triggers: [],
  members: [
    person('mem_a', 'mg_always', '111111', '04AAAAAA'),
    person('mem_b', 'mg_day', '222222', '04BBBBBB'),
  ],
}

function person(id: string, group: string, pin: string, uid: string) {
  return {
    id,
    associations: [{ id: `mga_${id}`, member_group_id: group }],
    credentials: [
      { id: `mp_${id}`, kind: 'pin', hash: pinHash(pin) },
      { id: `mc_${id}`, kind: 'card', hash: cardHash(uid) },
    ],
  }
}

let folder: ReturnType<typeof makeFolder>
let platform: ManualPlatform
let edge: ReturnType<typeof startEdge>
let feeder: Feeder

beforeEach(async () => {
  folder = makeFolder()
  platform = new ManualPlatform(noon)
  edge = startEdge(platform, folder.path)
  feeder = new Feeder(edge.device)
  await feeder.snapshot(slice as never)
  edge.synchronize(noon)
})
afterEach(async () => {
  await edge[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function restart(): Promise<void> {
  await edge[Symbol.asyncDispose]()
  edge = startEdge(platform, folder.path)
}

const reasonOf = ([event]: JournalEvent[]) => (event?.type === 'denial' ? event.reason : event?.type)

describe('the clock', () => {
  test('after a cold start what is bound to time is denied until the clock is known, the rest is not', async () => {
    edge.station.persistTime()
    platform.reboot(toMicroseconds('2020-01-01T00:00:00Z'))
    await restart()
    expect(edge.agent.clock.now().time).toBeGreaterThanOrEqual(noon)
    const [event] = await edge.type('222222#')
    expect(event).toMatchObject({ type: 'denial', reason: 'clock_unsure', clock_unsure: true })
    expect(reasonOf(await edge.type('111111#'))).toBe('use')
    edge.synchronize(noon + 1e6)
    expect(reasonOf(await edge.type('222222#'))).toBe('use')
  })

  test('a process that was restarted knows the time', async () => {
    edge.station.persistTime()
    await restart()
    expect(edge.agent.clock.now()).toMatchObject({ is_sure: true, time: noon })
    expect(reasonOf(await edge.type('222222#'))).toBe('use')
  })

  test('a measurement with less doubt counts, and one that contradicts', () => {
    const { clock } = edge.agent
    const at = platform.monotonic()
    clock.measure(at - 200_000, noon - 50_000, noon - 50_000, at)
    expect(clock.now().time).toBe(noon)
    clock.measure(at - 1000, noon + 60e6, noon + 60e6, at)
    expect(clock.now().time).toBe(noon + 60e6 + 500)
  })
})

test('a denial says which rule of the whole group failed and when it would pass', async () => {
  edge.synchronize(toMicroseconds('2026-06-01T19:00:00Z'))
  const [event] = await edge.type('222222#')
  expect(event).toMatchObject({
    reason: 'outside_schedule',
    next_allowed_at: '2026-06-02T08:00:00.000000Z',
    rules: [{ member_group_id: 'mg_day', rule_index: 3, failed: 'outside_schedule' }],
  })
})

test('who tries a PIN every 15.2 s meets the budget, also after a restart; the right one works when the pause is over', async () => {
  for (let attempt = 0; attempt < 20; attempt++) {
    expect(reasonOf(await edge.type('999999#'))).toBe('unknown_credential')
    await platform.advance(15.2)
  }
  edge.station.persistTime()
  await restart()
  expect(reasonOf(await edge.type('999999#'))).toBe('unknown_credential')
  for (let attempt = 0; attempt < 19; attempt++) {
    expect(reasonOf(await edge.type('999999#'))).toBe('keypad_paused')
    await platform.advance(15.2)
  }
  expect(reasonOf(await edge.type('111111#'))).toBe('keypad_paused')
  expect(reasonOf(await edge.station.tap('04aaaaaa'))).toBe('use')
  await platform.advance(15.2)
  expect(reasonOf(await edge.type('111111#'))).toBe('use')
})

test('while somebody guesses all over the site, one wrong PIN pauses the keypad', async () => {
  const pins_alarmed_until = fromMicroseconds(noon + 3600e6)
  await feeder.delta({ sites: [{ id: 'site_a', timezone: 'UTC', pins_alarmed_until }] } as never)
  expect(reasonOf(await edge.type('999999#'))).toBe('unknown_credential')
  expect(reasonOf(await edge.type('111111#'))).toBe('keypad_paused')
  await platform.advance(301)
  expect(reasonOf(await edge.type('111111#'))).toBe('use')
})

test('of many cards that nobody has a few are told of, and a known one opens at any time', async () => {
  const told = []
  for (let attempt = 0; attempt < 200; attempt++) told.push(...(await edge.station.tap('04FFFFFF')))
  expect(told).toHaveLength(5)
  expect(reasonOf(await edge.station.tap('04aaaaaa'))).toBe('use')
  await platform.advance(31)
  expect(reasonOf(await edge.station.tap('04FFFFFF'))).toBe('unknown_credential')
})

test('the pause after wrong PINs outlives a restart and leaves cards alone', async () => {
  for (let attempt = 0; attempt < 5; attempt++)
    expect(reasonOf(await edge.type('999999#'))).toBe('unknown_credential')
  edge.station.persistTime()
  await restart()
  expect(reasonOf(await edge.type('111111#'))).toBe('keypad_paused')
  expect(reasonOf(await edge.station.tap('04aaaaaa'))).toBe('use')
  await platform.advance(31)
  expect(reasonOf(await edge.type('111111#'))).toBe('use')
})

describe('passes', () => {
  const present = (pass: string) => edge.station.present('bluetooth', pass)

  test('open for whom they name, within the rules', async () => {
    expect(await present(makePass({ issued: noon }))).toMatchObject([
      { type: 'use', member_id: 'mem_a', access_method: 'bluetooth' },
    ])
    edge.synchronize(toMicroseconds('2026-06-01T19:00:00Z'))
    const pass = makePass({ issued: toMicroseconds('2026-06-01T18:30:00Z'), member_id: 'mem_b' })
    expect(reasonOf(await present(pass))).toBe('outside_schedule')
  })

  test('end with the credential they were fetched with, also over a restart', async () => {
    const byLink = makePass({ issued: noon, credential_id: 'mml_stolen' })
    expect(reasonOf(await present(byLink))).toBe('use')
    const revoked = { ...person('mem_a', 'mg_always', '111111', '04AAAAAA'), revoked: ['mml_stolen'] }
    await feeder.delta({ members: [revoked] } as never)
    expect(await present(byLink)).toMatchObject([
      { type: 'denial', member_id: 'mem_a', reason: 'credential_deleted' },
    ])
    expect(reasonOf(await present(makePass({ issued: noon, credential_id: 'mml_other' })))).toBe('use')
    await restart()
    edge.synchronize(noon)
    expect(reasonOf(await present(byLink))).toBe('credential_deleted')
  })

  test.each([
    ['of another device', () => makePass({ issued: noon, device_id: 'dev_other' }), 'pass_invalid'],
    [
      'signed by somebody else',
      () => makePass({ issued: noon }, generateKeyPairSync('ed25519').privateKey),
      'pass_invalid',
    ],
    ['with a key nobody knows', () => makePass({ issued: noon, key_id: 'other' }), 'pass_invalid'],
    ['that is none', () => 'open sesame', 'pass_invalid'],
    [
      'for more than a day',
      () => makePass({ issued: noon, expires_at: fromMicroseconds(noon + 86_401e6) }),
      'pass_invalid',
    ],
    ['of yesterday', () => makePass({ issued: noon - 7200e6 }), 'pass_expired'],
    ['of tomorrow', () => makePass({ issued: noon + 7200e6 }), 'pass_expired'],
    ['of nobody', () => makePass({ issued: noon, member_id: 'mem_gone' }), 'unknown_credential'],
  ])('one %s does not', async (_what, make, reason) => {
    expect(reasonOf(await present(make()))).toBe(reason)
  })
})

describe('commands', () => {
  const deadline = fromMicroseconds(noon + 10e6)
  const command = { id: 'command-1', gadget_id: 'gad_door', action_id: 'open', deadline }

  test('are executed once, also after a restart', async () => {
    expect(await edge.device.commands.run(command)).toEqual({ id: 'command-1', outcome: 'done' })
    expect(await edge.device.commands.run(command)).toEqual({ id: 'command-1', outcome: 'done' })
    expect(edge.driver.done).toHaveLength(1)
    await restart()
    edge.synchronize(noon)
    expect(await edge.device.commands.run(command)).toEqual({ id: 'command-1', outcome: 'done' })
    expect(edge.driver.done).toHaveLength(0)
  })

  test('whose end nobody knows are not executed again', async () => {
    const begun = { id: command.id, deadline: noon + 10e6, outcome: null, reason: null }
    await edge.storage.write([{ type: 'command', command: begun }])
    await restart()
    edge.synchronize(noon)
    expect(await edge.device.commands.run(command)).toEqual({
      id: command.id,
      outcome: 'failed',
      reason: 'unknown',
    })
    expect(edge.driver.done).toHaveLength(0)
  })

  test('are not executed late, without a clock, or for what the device does not have', async () => {
    const late = { ...command, id: 'command-2', deadline: fromMicroseconds(noon) }
    expect(await edge.device.commands.run(late)).toMatchObject({ outcome: 'timed_out' })
    const strange = { ...command, id: 'command-3', action_id: 'explode' }
    expect(await edge.device.commands.run(strange)).toMatchObject({ outcome: 'refused' })
    platform.reboot(noon)
    await restart()
    expect(await edge.device.commands.run({ ...command, id: 'command-4' })).toMatchObject({
      outcome: 'refused',
      reason: 'clock_unsure',
    })
    expect(edge.driver.done).toEqual([])
  })

  test('to slow hardware are not executed after their deadline', async () => {
    edge.driver.fault = 'slow'
    const outcome = edge.device.commands.run(command)
    for (let second = 0; second < 20; second++) {
      await platform.advance(1)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    expect(await outcome).toMatchObject({ outcome: 'timed_out' })
    expect(edge.driver.done).toEqual([])
  })
})

describe('triggers', () => {
  const lightOn = { target_gadget_id: 'gad_light', target_action_id: 'on' }

  test('by schedule run once, and after downtime only the latest of a day', async () => {
    await feeder.delta({
      triggers: [
        trigger({
          id: 'gt_on',
          source_type: 'schedule',
          source_schedule_id: 'sch_day',
          source_schedule_event: 'enter',
          ...lightOn,
        }),
        trigger({
          id: 'gt_off',
          source_type: 'schedule',
          source_schedule_id: 'sch_day',
          source_schedule_event: 'exit',
          target_gadget_id: 'gad_light',
          target_action_id: 'off',
        }),
      ],
    } as never)
    const done = () => edge.driver.done.splice(0).map(({ action_id }) => action_id)
    await edge.agent.tick()
    edge.synchronize(toMicroseconds('2026-06-01T18:00:00Z'))
    await edge.agent.tick()
    await edge.agent.tick()
    expect(done()).toEqual(['off'])
    await restart()
    edge.synchronize(toMicroseconds('2026-06-04T09:00:00Z'))
    await edge.agent.tick()
    await edge.agent.tick()
    expect(done()).toEqual(['on'])
  })

  test('that set themselves off come to rest', async () => {
    await feeder.delta({
      triggers: [
        trigger({ id: 'gt_loop', source_gadget_id: 'gad_light', source_state_id: 'open', ...lightOn }),
      ],
    } as never)
    for (let round = 0; round < 40; round++) {
      await edge.agent.reportState('gad_light', round % 2 === 0 ? 'open' : 'closed')
    }
    expect(edge.driver.done).toHaveLength(10)
  })
})
