import { join } from 'node:path'
import {
  Agent,
  type Driver,
  nodePlatform,
  openSqliteStorage,
  silentLog,
} from '../../packages/edge/src/index.ts'
import { plan, rule, slice, street } from '../../packages/edge/test/moded-doors.ts'
import { Feeder, keypad } from '../../packages/edge/test/slices.ts'

/**
 * A gateway with eight devices of eight doors each, in a process of its own, without a network. Reports how late the
 * doors are held when a schedule turns, and then how long a panic button takes that nobody has pressed before.
 */
const devices = 8
const doorsOfDevice = 8
const folder = process.argv[2] as string
const platform = nodePlatform()
const heldAt = new Map<string, number>()
const securedAt = new Map<string, number>()
const driver: Driver = {
  run: async ({ gadget_id, action_id }) => {
    if (action_id === 'hold') heldAt.set(gadget_id, Date.now())
    if (action_id === 'secure') securedAt.set(gadget_id, performance.now())
    return { outcome: 'done' }
  },
  power: () => ({}),
}
const deviceIds = Array.from({ length: devices }, (_, index) => `dev_panic${index}`.padEnd(24, '0'))
const doorsOf = (device: number) =>
  Array.from({ length: doorsOfDevice }, (_, index) => ({
    ...street,
    id: `gad_${device}_${index}`,
    device_id: deviceIds[device] as string,
  }))
const doors = deviceIds.map((_, index) => doorsOf(index))
const gadget_ids = doors.flat().map(({ id }) => id)
const button = { gadget_id: gadget_ids[0] as string, signal_id: 'panic' }
/** Seconds from now until the schedule turns: what the start itself drives is over by then. */
const until = 3
const turnsAt = (Math.floor(Date.now() / 1000) + until) * 1000
const start = (turnsAt / 1000) % 86_400
const turning = {
  id: 'sch_turning',
  weekdays: Array(7).fill({ ranges: [{ start, end: Math.min(start + 3600, 86_400) }] }),
}
const agent = new Agent({
  platform,
  driver,
  log: silentLog,
  connect: () => ({ send: () => {}, hold: () => {}, close: () => {} }),
  devices: deviceIds.map(id => ({
    hardware_id: `hw_${id}`,
    storage: openSqliteStorage(join(folder, `${id}.sqlite`), 'unused'),
  })),
})
for (const [index, device] of agent.devices.entries()) {
  const id = deviceIds[index] as string
  device.name(id)
  await new Feeder(device).snapshot({
    sites: slice.sites,
    schedules: [turning],
    devices: [{ ...keypad([]), id }],
    gadgets: doors[index],
    unlock_rules: [{ ...rule, gadget_ids: doors[index]?.map(door => door.id), schedule_id: turning.id }],
    emergency_plans: [{ ...plan, gadget_ids, control_gadget_id: null, trigger: button }],
  } as never)
}
const now = Date.now() * 1000
agent.clock.measure(platform.monotonic(), now, now, platform.monotonic())
agent.start()
await Promise.all(agent.devices.map(device => device.station.doors.settled()))
await new Promise(resolve => setTimeout(resolve, turnsAt + 1000 - Date.now()))
const late = Math.max(...heldAt.values()) - turnsAt
securedAt.clear()

const pressedAt = performance.now()
await agent.reportSignal(button.gadget_id, button.signal_id)
await Promise.all(agent.devices.map(device => device.station.doors.settled()))
process.send?.({
  held: heldAt.size,
  late,
  doors: securedAt.size,
  milliseconds: Math.max(...securedAt.values()) - pressedAt,
})
await agent[Symbol.asyncDispose]()
process.disconnect?.()
