import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Agent,
  type HardwareFault,
  type Log,
  openSqliteStorage,
  SimulatedDriver,
  silentLog,
} from '../src/index.ts'
import type { ManualPlatform } from './manual-platform.ts'
import { ownDevice } from './slices.ts'

/** Starts a controller on a file, without a connection. */
export function startEdge(
  platform: ManualPlatform,
  folder: string,
  fault?: HardwareFault,
  log: Log = silentLog,
) {
  const driver = new SimulatedDriver(platform, fault)
  const storage = openSqliteStorage(join(folder, 'edge.sqlite'), 'journal-of-tests')
  const agent = new Agent({
    platform,
    driver,
    log,
    connect: () => ({ send: () => {}, hold: () => {}, close: () => {} }),
    devices: [{ hardware_id: 'hw_TEST', storage }],
  })
  const [device] = agent.devices
  if (!device) throw new Error('no device')
  device.name(ownDevice)
  return {
    agent,
    device,
    driver,
    storage,
    station: device.station,
    /** Simulates a time measurement against the service. */
    synchronize: (time: number) =>
      agent.clock.measure(platform.monotonic(), time, time, platform.monotonic()),
    async type(keys: string) {
      const events = []
      for (const key of keys) events.push(...(await device.station.press(key)))
      return events
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  }
}

export function makeFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-edge-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
