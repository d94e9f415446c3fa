import { join } from 'node:path'
import {
  Agent,
  type Driver,
  nodePlatform,
  openSqliteStorage,
  silentLog,
} from '../../packages/edge/src/index.ts'
import { plan, slice, street } from '../../packages/edge/test/moded-doors.ts'
import { Feeder, keypad } from '../../packages/edge/test/slices.ts'

/**
 * A gateway with eight devices of eight doors each, in a process of its own, without a network. Reports how long a
 * panic button takes that nobody has pressed before.
 */
const devices = 8
const doorsOfDevice = 8
const folder = process.argv[2] as string
const platform = nodePlatform()
const securedAt = new Map<string, number>()
const driver: Driver = {
  run: async ({ gadget_id, action_id }) => {
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
    schedules: slice.schedules,
    devices: [{ ...keypad([]), id }],
    gadgets: doors[index],
    emergency_plans: [{ ...plan, gadget_ids, control_gadget_id: null, trigger: button }],
  } as never)
}
const now = Date.now() * 1000
agent.clock.measure(platform.monotonic(), now, now, platform.monotonic())
agent.start()
await Promise.all(agent.devices.map(device => device.station.doors.settled()))
// What the start itself drives is over by then.
await new Promise(resolve => setTimeout(resolve, 1000))
securedAt.clear()

const pressedAt = performance.now()
await agent.reportSignal(button.gadget_id, button.signal_id)
await Promise.all(agent.devices.map(device => device.station.doors.settled()))
process.send?.({ doors: securedAt.size, milliseconds: Math.max(...securedAt.values()) - pressedAt })
await agent[Symbol.asyncDispose]()
process.disconnect?.()
