import { join } from 'node:path'
import { finish, toMicroseconds } from '@gatehouse-access/core'
import {
  Agent,
  type Driver,
  nodePlatform,
  openSqliteStorage,
  type Platform,
  SimulatedDriver,
  silentLog,
  webSocketTo,
} from '@gatehouse-access/edge'

/**
 * A controller in its own process, on a machine whose clock the test moves. Messages simulate input at its
 * door. The process responds once the result is on disk.
 */
export interface EdgeOptions {
  readonly url: string
  readonly hardware_id: string
  readonly secret: string
  readonly folder: string
  /** Seconds by which the machine's clock is ahead of the real time. */
  readonly ahead: number
}

export type EdgeRequest =
  | { id: number; type: 'keys'; keys: string }
  | { id: number; type: 'advance'; seconds: number }
  | { id: number; type: 'status' }
  | { id: number; type: 'decide'; pin: string; gadget_id: string }
  | { id: number; type: 'decide_at'; pin: string; gadget_id: string; at: readonly string[] }
  | { id: number; type: 'signal'; gadget_id: string; signal_id: string }
  | { id: number; type: 'state'; gadget_id: string; state_id: string }
  | { id: number; type: 'orders' }
  | { id: number; type: 'journal' }

/** What the hardware was told, and how many milliseconds after the start of the controller. */
export interface TimedOrder {
  readonly gadget_id: string
  readonly action_id: string
  readonly after: number
}

/** Milliseconds. Caps every delay of the controller, so that tests do not wait longer. */
const longestWait = 200

type Station = Agent['devices'][number]['station']

const options = JSON.parse(process.argv[2] ?? '{}') as EdgeOptions
let ahead = options.ahead

const real = nodePlatform()
const platform: Platform = {
  ...real,
  monotonic: () => real.monotonic() + ahead * 1e6,
  wall: () => real.wall() + ahead * 1e6,
  later: (milliseconds, run) => real.later(Math.min(milliseconds, longestWait), run),
}
const driver = new SimulatedDriver(platform)
const orders: TimedOrder[] = []
const timedDriver: Driver = {
  run(order) {
    const { gadget_id, action_id } = order
    orders.push({ gadget_id, action_id, after: performance.now() - startedAt })
    return driver.run(order)
  },
  power: () => driver.power(),
}
const storage = openSqliteStorage(join(options.folder, 'edge.sqlite'), 'journal-of-story')
const agent = new Agent({
  platform,
  driver: timedDriver,
  log: process.env.EDGE_LOG ? { info: console.error, error: console.error } : silentLog,
  connect: webSocketTo(options),
  devices: [{ hardware_id: options.hardware_id, storage }],
})
const startedAt = performance.now()
agent.start()

process.on('message', async (request: EdgeRequest) => {
  process.send?.({ id: request.id, value: await answer(request) })
})
process.on('disconnect', () => process.exit(0))

async function answer(request: EdgeRequest): Promise<unknown> {
  const device = agent.devices[0]
  if (!device) throw new Error('no device')
  if (request.type === 'advance') ahead += request.seconds
  if (request.type === 'keys') {
    const events = []
    for (const key of request.keys) events.push(...(await device.station.press(key)))
    await device.recorder.write()
    return events
  }
  if (request.type === 'decide')
    return decide(device.station, request.pin, request.gadget_id, agent.clock.now().time)
  if (request.type === 'decide_at')
    return request.at.map(at => decide(device.station, request.pin, request.gadget_id, toMicroseconds(at)))
  if (request.type === 'signal') {
    const pressedAt = performance.now() - startedAt
    await agent.reportSignal(request.gadget_id, request.signal_id)
    await device.station.doors.settled()
    return Math.max(...orders.map(({ after }) => after)) - pressedAt
  }
  if (request.type === 'state') return agent.reportState(request.gadget_id, request.state_id)
  if (request.type === 'orders') return orders
  if (request.type === 'journal') return storage.readJournal(0, 10_000)
  return {
    is_live: agent.link.is_live,
    is_sure: agent.clock.now().is_sure,
    version: device.intake.head?.version ?? null,
    opened: driver.done.length,
    last_sequence: device.recorder.last_sequence,
    buttons: [...device.station.policy.rows('emergency_plans').values()].filter(({ trigger }) => trigger)
      .length,
  }
}

/**
 * Returns the controller's decision for a PIN, without the keypad's delays: the reason for a denial, or null.
 */
function decide({ policy }: Station, pin: string, gadget_id: string, at: number): string | null {
  const found = policy.identify('pin', pin)
  if (!found) return 'unknown_credential'
  const { member_id, credential_id } = found
  const who = { member_id, ...(credential_id && { credential_id }) }
  const question = { gadget_id, action_id: 'open', at, access_method: 'pin' as const, ...who }
  return finish(policy.decide(question)).reason
}
