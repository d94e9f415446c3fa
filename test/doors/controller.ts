import type { SliceRows } from '@gatehouse-access/api'
import { fromMicroseconds } from '@gatehouse-access/core'
import { Agent, MemoryDisk, openMemoryStorage, SimulatedDriver, silentLog } from '@gatehouse-access/edge'
import { ManualPlatform, settle } from '../../packages/edge/test/manual-platform.ts'
import { Feeder, ownDevice } from '../../packages/edge/test/slices.ts'

/** A controller on a machine whose clock the test moves, with simulated doors and no network. */
export async function startOn(now: number, slice: object) {
  const platform = new ManualPlatform(now)
  const driver = new SimulatedDriver(platform)
  let isDiskStuck = false
  const storage = openMemoryStorage(new MemoryDisk('journal-of-doors'), apply =>
    isDiskStuck ? new Promise(() => {}) : Promise.resolve(apply()),
  )
  const connect = () => ({ send: () => {}, hold: () => {}, close: () => {} })
  const devices = [{ hardware_id: 'hw_DOORS', storage }]
  const agent = new Agent({ platform, driver, log: silentLog, connect, devices })
  const [device] = agent.devices
  if (!device) throw new Error('no device')
  device.name(ownDevice)
  const feeder = new Feeder(device)
  await feeder.snapshot(slice as SliceRows)
  const controller = {
    agent,
    device,
    driver,
    platform,
    feed: (put: object) => feeder.delta(put as SliceRows),
    stickDisk(): void {
      isDiskStuck = true
    },
    /** Tells the controller the time, as a connection does. */
    synchronize: (time: number) =>
      agent.clock.measure(platform.monotonic(), time, time, platform.monotonic()),
    /** Returns what was driven at an instant, which lies ahead. */
    async at(instant: number): Promise<string[]> {
      await platform.leap((instant - agent.clock.now().time) / 1e6)
      await agent.tick()
      await settle()
      return driver.done.splice(0).map(({ action_id }) => action_id)
    },
    async type(keys: string) {
      const events = []
      for (const key of keys) events.push(...(await device.station.press(key)))
      await settle()
      return events
    },
    /** The service lets somebody in who is not there. */
    async openOnline(gadget_id: string): Promise<string> {
      const { time } = agent.clock.now()
      controller.synchronize(time)
      const deadline = fromMicroseconds(time + 5e6)
      const command = { id: 'cmd_online', gadget_id, action_id: 'open', deadline }
      const { outcome } = await device.commands.run(command)
      await settle()
      return outcome
    },
  }
  return controller
}
