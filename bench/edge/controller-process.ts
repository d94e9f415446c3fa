import { setImmediate } from 'node:timers/promises'
import { finish, toMicroseconds } from '../../packages/core/src/index.ts'
import {
  Agent,
  type Driver,
  nodePlatform,
  openSqliteStorage,
  SlicePolicy,
  silentLog,
} from '../../packages/edge/src/index.ts'
import { closedMember, deviceId, idOf, mayOpen, members, pinOf } from './size.ts'

/** A controller in a separate process. Reports its first decision, then how long decisions take. */
const decisions = 20_000
const platform = nodePlatform()
let drivenAt = 0
const driver: Driver = {
  run: async () => {
    drivenAt = performance.now()
    return { outcome: 'done' }
  },
  power: () => ({}),
}
const storage = openSqliteStorage(process.argv[2] as string, 'unused')
const agent = new Agent({
  platform,
  driver,
  log: silentLog,
  connect: () => ({ send: () => {}, hold: () => {}, close: () => {} }),
  devices: [{ hardware_id: 'hw_BENCH', storage }],
})
const now = Date.now() * 1000
agent.clock.measure(platform.monotonic(), now, now, platform.monotonic())
const device = agent.devices[0]
if (device?.station.device_id !== deviceId) throw new Error('another disk')

const first = await decide(members - 2)
if (first === undefined) throw new Error('the first PIN did not open')
process.send?.({ type: 'decided' })

const took: number[] = []
for (let count = 0; count < decisions; count++) {
  const member = Math.floor(Math.random() * members)
  const time = await decide(member)
  if ((time !== undefined) !== mayOpen(member)) throw new Error(`member ${member} was decided wrongly`)
  if (time !== undefined) took.push(time)
  await setImmediate()
}
took.sort((a, b) => a - b)
const next = measureNext()
const { maxRSS } = process.resourceUsage()
process.send?.({
  type: 'measured',
  p50: took[Math.floor(took.length * 0.5)],
  p99: took[Math.floor(took.length * 0.99)],
  longest: took.at(-1),
  next,
  rss: process.memoryUsage.rss() / 1e6,
  most_rss: maxRSS / 1e3,
})
await agent[Symbol.asyncDispose]()
process.disconnect?.()

/** Returns milliseconds from the last key to the driver call; undefined when the door did not open. */
async function decide(member: number): Promise<number | undefined> {
  for (const key of pinOf(member)) await device?.station.press(key)
  drivenAt = 0
  const pressedAt = performance.now()
  await device?.station.press('#')
  return drivenAt === 0 ? undefined : drivenAt - pressedAt
}

/** Returns the p99 of the milliseconds in which a denial finds when the door opens, after a year of closed days. */
function measureNext(): number {
  const policy = new SlicePolicy(storage, storage.load().notes.policy)
  const from = toMicroseconds(new Date().toISOString())
  const times = Array.from({ length: 2000 }, (_, index) => {
    const question = { member_id: closedMember, gadget_id: idOf('gad', 0), action_id: 'open' }
    const begun = performance.now()
    const { next_allowed_at } = finish(policy.account({ ...question, at: from + index * 60_000_000 }))
    if (next_allowed_at === null) throw new Error('nothing was found after the closed days')
    return performance.now() - begun
  })
  return times.sort((a, b) => a - b)[1980] as number
}
