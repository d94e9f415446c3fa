import { expect, test } from 'vitest'
import { Agent, MemoryDisk, openMemoryStorage, SimulatedDriver, silentLog } from '../src/index.ts'
import { ManualPlatform } from './manual-platform.ts'
import { ownDevice } from './slices.ts'

const head = { device_id: ownDevice, version: 1 }
const part = (number: number) => ({ ...head, type: 'snapshot_part', part: number, put: {} })

test('while the disk is slow, a snapshot waits in the service and not in the memory of the controller', async () => {
  const disk = slowDisk()
  const wire = { isHeld: false, sent: [] as { type: string }[], hear: (_text: string) => {}, open: () => {} }
  const platform = new ManualPlatform()
  await using agent = new Agent({
    platform,
    driver: new SimulatedDriver(platform),
    log: silentLog,
    connect(handlers) {
      wire.hear = handlers.message
      wire.open = handlers.open
      return {
        send: text => void wire.sent.push(JSON.parse(text)),
        hold(isHeld) {
          wire.isHeld = isHeld
        },
        close: () => {},
      }
    },
    devices: [{ hardware_id: 'hw_TEST', storage: disk.storage }],
  })
  using _ = { [Symbol.dispose]: disk.goOn }
  agent.start()
  wire.open()
  disk.goOn()
  await expect.poll(() => wire.sent.map(({ type }) => type)).toContain('hello')
  const hear = (message: object) => wire.hear(JSON.stringify(message))
  hear({ type: 'welcome', device_id: ownDevice, acknowledged_sequence: 0, acknowledged_occurred_at: null })

  disk.stop()
  hear({ ...head, type: 'snapshot_begin', key: 'AAAA', pass_keys: [] })
  for (let number = 1; number <= 5; number++) hear(part(number))
  expect(wire.isHeld).toBe(true)

  disk.goOn()
  await expect.poll(() => wire.isHeld).toBe(false)
  for (let number = 6; number <= 20; number++) hear(part(number))
  hear({ ...head, type: 'snapshot_end', parts: 20 })
  await expect.poll(() => wire.sent.map(({ type }) => type)).toContain('applied')
  expect(wire.isHeld).toBe(false)
})

/** A disk that can be stopped, and then keeps whoever writes waiting. */
function slowDisk() {
  let gate = Promise.withResolvers<void>()
  const settle = async (apply: () => void) => {
    await gate.promise
    apply()
  }
  return {
    storage: openMemoryStorage(new MemoryDisk('journal-of-tests'), settle),
    stop() {
      gate = Promise.withResolvers()
    },
    goOn: () => gate.resolve(),
  }
}
