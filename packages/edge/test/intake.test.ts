import { expect, test } from 'vitest'
import { Agent, MemoryDisk, openMemoryStorage, SimulatedDriver, silentLog } from '../src/index.ts'
import { ManualPlatform } from './manual-platform.ts'
import { ownDevice } from './slices.ts'

const head = { device_id: ownDevice, version: 1 }
const part = (number: number) => ({ ...head, type: 'snapshot_part', part: number, put: {} })

test('while the disk is slow, a snapshot waits in the service and not in the memory of the controller', async () => {
  await using edge = await connectEdge()
  edge.disk.stop()
  edge.hear({ ...head, type: 'snapshot_begin', key: 'AAAA', pass_keys: [] })
  for (let number = 1; number <= 5; number++) edge.hear(part(number))
  expect(edge.wire.isHeld).toBe(true)
  // While the connection is held, no snapshot can be overdue.
  await edge.platform.advance(120)
  expect(edge.told()).not.toContain('resync')
  expect(edge.wire.closings).toBe(0)

  edge.disk.goOn()
  await expect.poll(() => edge.wire.isHeld).toBe(false)
  for (let number = 6; number <= 20; number++) edge.hear(part(number))
  edge.hear({ ...head, type: 'snapshot_end', parts: 20 })
  await expect.poll(edge.told).toContain('applied')
  expect(edge.wire.isHeld).toBe(false)
})

test('a snapshot that a newer one has overtaken is passed over', async () => {
  await using edge = await connectEdge()
  const send = (version: number) => {
    const of = { device_id: ownDevice, version }
    edge.hear({ ...of, type: 'snapshot_begin', key: 'AAAA', pass_keys: [] })
    edge.hear({ ...of, type: 'snapshot_part', part: 1, put: {} })
    edge.hear({ ...of, type: 'snapshot_end', parts: 1 })
  }
  send(3)
  await expect.poll(edge.told).toContain('applied')
  send(2)
  send(3)
  await edge.platform.advance(30)
  expect(edge.version()).toBe(3)
  expect(edge.told().filter(type => type === 'applied' || type === 'resync')).toEqual(['applied'])
  send(4)
  await expect.poll(edge.version).toBe(4)
})

test('a delta between the parts of a snapshot is in force at once, and the snapshot goes on', async () => {
  await using edge = await connectEdge()
  const begin = (version: number) => {
    edge.hear({ device_id: ownDevice, version, type: 'snapshot_begin', key: 'AAAA', pass_keys: [] })
    edge.hear({ device_id: ownDevice, version, type: 'snapshot_part', part: 1, put: {} })
  }
  const end = (version: number) =>
    edge.hear({ device_id: ownDevice, version, type: 'snapshot_end', parts: 1 })
  begin(1)
  end(1)
  await expect.poll(edge.version).toBe(1)
  begin(9)
  const delta = { type: 'delta', device_id: ownDevice, put: {}, remove: {} }
  edge.hear({ ...delta, from: 1, to: 2, previous_hash: edge.hash() })
  await expect.poll(edge.version).toBe(2)
  end(9)
  await expect.poll(edge.version).toBe(9)
  expect(edge.told()).not.toContain('resync')

  // One that is not below the snapshot belongs to neither.
  begin(20)
  edge.hear({ ...delta, from: 9, to: 20, previous_hash: edge.hash() })
  await expect.poll(edge.told).toContain('resync')
  expect(edge.version()).toBe(9)
})

/** Connects a controller over a fake connection that the test controls at both ends. */
async function connectEdge() {
  const disk = slowDisk()
  const wire = {
    isHeld: false,
    closings: 0,
    sent: [] as { type: string }[],
    hear: (_text: string) => {},
    open: () => {},
  }
  const platform = new ManualPlatform()
  const agent = new Agent({
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
        close() {
          wire.closings++
        },
      }
    },
    devices: [{ hardware_id: 'hw_TEST', storage: disk.storage }],
  })
  const told = () => wire.sent.map(({ type }) => type)
  const hear = (message: object) => wire.hear(JSON.stringify(message))
  agent.start()
  wire.open()
  await expect.poll(told).toContain('hello')
  hear({ type: 'welcome', device_id: ownDevice, acknowledged_sequence: 0, acknowledged_occurred_at: null })
  return {
    disk,
    wire,
    platform,
    told,
    hear,
    version: () => agent.devices[0]?.intake.head?.version,
    hash: () => agent.devices[0]?.intake.head?.hash,
    async [Symbol.asyncDispose]() {
      disk.goOn()
      await agent[Symbol.asyncDispose]()
    },
  }
}

/** A disk that can be stopped, so that writes block. */
function slowDisk() {
  let gate = Promise.withResolvers<void>()
  gate.resolve()
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
