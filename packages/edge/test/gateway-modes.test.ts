import type { FromDevice } from '@gatehouse-access/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  Agent,
  type ConnectionHandlers,
  MemoryDisk,
  openMemoryStorage,
  SimulatedDriver,
  silentLog,
} from '../src/index.ts'
import { ManualPlatform, settle } from './manual-platform.ts'
import { fire, lockdown, magnet, monday, pins, plan, rule, slice, street } from './moded-doors.ts'
import { Feeder, keypad, ownDevice } from './slices.ts'

/** A gateway with the street door and everything else, and a device behind it with the magnetic door. */
const behind = 'dev_behind00000000000000'
const back = { ...magnet, device_id: behind }
let platform: ManualPlatform
let agent: Agent
let driver: SimulatedDriver
let feeders: Feeder[]
let sent: FromDevice[]
let handlers: ConnectionHandlers
/** Writes that wait for the disk, while it is slow. */
let slow: (() => void)[] | null

beforeEach(async () => {
  platform = new ManualPlatform(monday)
  driver = new SimulatedDriver(platform)
  sent = []
  slow = null
  const settling = (apply: () => void) =>
    new Promise<void>(resolve => {
      const run = () => {
        apply()
        resolve()
      }
      if (slow) slow.push(run)
      else run()
    })
  const device = (hardware_id: string) => ({
    hardware_id,
    storage: openMemoryStorage(new MemoryDisk(`journal-of-${hardware_id}`), settling),
  })
  agent = new Agent({
    platform,
    driver,
    log: silentLog,
    connect(own) {
      handlers = own
      return { send: text => void sent.push(JSON.parse(text)), hold: () => {}, close: () => {} }
    },
    devices: [device('hw_GATE'), device('hw_BACK')],
  })
  const ids = [ownDevice, behind]
  for (const [index, each] of agent.devices.entries()) each.name(ids[index] ?? '')
  feeders = agent.devices.map(each => new Feeder(each))
  const gadgets = slice.gadgets.filter(({ id }) => id !== magnet.id)
  const common = { sites: [{ id: 'site_a', timezone: 'UTC', fire }], schedules: slice.schedules }
  await feeders[0]?.snapshot({ ...slice, ...common, gadgets } as never)
  await feeders[1]?.snapshot({
    ...common,
    devices: [{ ...keypad([]), id: behind }],
    gadgets: [back],
    emergency_plans: [plan],
  } as never)
  agent.clock.measure(platform.monotonic(), monday, monday, platform.monotonic())
  agent.start()
  await settle()
})
afterEach(async () => {
  for (const run of slow?.splice(0) ?? []) run()
  slow = null
  await agent[Symbol.asyncDispose]()
})

const station = () => {
  const found = agent.devices[0]?.station
  if (!found) throw new Error('no device')
  return found
}
const driven = async () => {
  await settle()
  return driver.done.splice(0).map(({ gadget_id, action_id }) => `${gadget_id.slice(4)} ${action_id}`)
}
const type = async (keys: string) => {
  const events = []
  for (const key of keys) events.push(...(await station().press(key)))
  return events
}

test('a panic button locks the doors of all devices of the gateway', async () => {
  await agent.reportSignal(street.id, 'panic')
  expect(await driven()).toEqual(['street secure', 'magnet secure'])
  await feeders[1]?.delta({ emergencies: [lockdown()] } as never)
  expect(agent.devices.map(device => device.station.doors.memory.emergencies.length)).toEqual([1, 0])
})

test('who comes first, who leaves last and a fire count for all devices of the gateway', async () => {
  const first_person = { member_group_ids: ['mg_guards'], early_seconds: 3600, before: 'controlled' }
  const last_person_signal = { gadget_id: street.id, signal_id: 'leave' }
  const both = { ...rule, gadget_ids: [street.id, magnet.id], first_person, last_person_signal }
  for (const feeder of feeders) await feeder.delta({ unlock_rules: [both] } as never)
  expect(await type(`${pins.guard}#`)).toMatchObject([{ type: 'use' }])
  await driven()
  await platform.advance(3600)
  expect(await driven()).toEqual(['street hold', 'magnet hold'])
  await agent.reportSignal(street.id, 'leave')
  expect(await driven()).toEqual(['street secure', 'magnet secure'])
  await agent.reportState(fire.source_gadget_id, 'alarm')
  expect(await driven()).toEqual(['magnet hold'])
})

test('a lock that another device of the gateway moved is moved back', async () => {
  const override = {
    id: magnet.id,
    mode: 'unlocked',
    lasts: 'indefinitely',
    set_at: '2026-06-01T07:00:00.000000Z',
  }
  await feeders[1]?.delta({ overrides: [override] } as never)
  await feeders[0]?.delta({ devices: [{ ...keypad([]), id: behind }], gadgets: [back] } as never)
  await driven()
  await station().drive(magnet.id, 'secure', platform.monotonic() + 1e6)
  await platform.advance(12)
  expect(await driven()).toEqual(['magnet secure', 'magnet hold'])
})

test('nothing is driven before it is on the disk, unless the disk does not answer', async () => {
  slow = []
  await Promise.race([agent.reportSignal(street.id, 'panic'), settle()])
  expect(await driven()).toEqual([])
  const waiting = slow.splice(0)
  expect(waiting.length).toBeGreaterThan(0)
  for (const run of waiting) run()
  expect(await driven()).toEqual(['street secure', 'magnet secure'])
})

test('a disk that does not answer keeps no door from being locked', async () => {
  slow = []
  void agent.reportSignal(street.id, 'panic')
  await platform.advance(3)
  expect(await driven()).toEqual(['street secure', 'magnet secure'])
})

test('the service is told what the doors are: after welcome, after a policy, and after driving', async () => {
  const doors = async () => {
    await settle()
    return sent.splice(0).filter(message => message.type === 'doors')
  }
  handlers.open()
  await settle()
  const welcome = {
    type: 'welcome',
    device_id: ownDevice,
    acknowledged_sequence: 0,
    capabilities: ['door_modes', 'doors'],
  }
  handlers.message(JSON.stringify(welcome))
  expect(await doors()).toMatchObject([
    {
      device_id: ownDevice,
      version: 1,
      doors: [{ gadget_id: street.id, mode: 'controlled', outcome: 'done' }],
    },
  ])
  await agent.reportSignal(street.id, 'panic')
  const [local] = station().doors.memory.emergencies
  expect(await doors()).toMatchObject([
    {
      doors: [{ gadget_id: street.id, mode: 'lockdown', emergency_ids: [local?.local_id], outcome: 'done' }],
    },
  ])
})

test('a service that knows of an emergency and sends nothing for a minute has ended it', async () => {
  await agent.reportSignal(street.id, 'panic')
  await driven()
  handlers.open()
  await settle()
  handlers.message(JSON.stringify({ type: 'welcome', device_id: ownDevice, acknowledged_sequence: 0 }))
  await settle()
  await station().doors.settled()
  const [recorder] = agent.devices.map(device => device.recorder)
  await recorder?.acknowledge(recorder.last_sequence)
  const pong = () => handlers.message('{"type":"pong","ping_sent_at":"","received_at":"","sent_at":""}')
  for (let seconds = 0; seconds < 55; seconds += 5) {
    await platform.advance(5)
    pong()
  }
  expect(await driven()).toEqual([])
  for (let seconds = 0; seconds < 10; seconds += 5) {
    await platform.advance(5)
    pong()
  }
  expect(await driven()).toEqual([])
  expect(agent.devices.map(device => device.station.doors.memory.emergencies)).toEqual([[], []])
})
