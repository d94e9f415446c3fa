import type { SliceRows } from '@gatehouse-access/api'
import { fromMicroseconds, isHeldOpen, modeOfDoor } from '@gatehouse-access/core'
import { manyOr } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Agent, MemoryDisk, openMemoryStorage, SimulatedDriver, silentLog } from '../src/index.ts'
import { ManualPlatform, settle } from './manual-platform.ts'
import { fire, hour, lockdown, magnet, monday, pins, rule, slice, street } from './moded-doors.ts'
import { Feeder, ownDevice } from './slices.ts'

const doors = [street.id, magnet.id]
const site = { id: 'site_a', timezone: 'UTC', fire: { ...fire, release_gadget_ids: [street.id] } }
const first_person = { member_group_ids: ['mg_guards'], early_seconds: hour, before: 'closed' }

/** A controller whose process, hardware and disk fail. What the locks are outlives it, as in a building. */
class Building {
  readonly platform = new ManualPlatform(monday)
  readonly disk = new MemoryDisk('journal-of-building')
  readonly locks = new Map<string, string>()
  driver = new SimulatedDriver(this.platform)
  agent = this.#start()
  #feeder = new Feeder(this.device)

  get device() {
    const [device] = this.agent.devices
    if (!device) throw new Error('no device')
    return device
  }

  async install(): Promise<void> {
    await this.#feeder.snapshot({ ...slice, sites: [site] } as never)
    this.synchronize()
  }

  /** Tells the time that has really passed. */
  synchronize(): void {
    const time = this.platform.wall()
    this.agent.clock.measure(this.platform.monotonic(), time, time, this.platform.monotonic())
  }

  feed(put: object, remove: Record<string, string[]> = {}): Promise<void> {
    return this.#feeder.delta(put as SliceRows, remove)
  }

  /** Ends the process without a word. `isCold`: by a power failure, in which relays fall and the time is lost. */
  kill(isCold: boolean): void {
    const { version = 0, hash = '' } = this.device.intake.head ?? {}
    this.platform.forgetTimers()
    if (isCold) this.platform.reboot(this.platform.wall())
    if (isCold) for (const id of this.locks.keys()) this.locks.set(id, 'secure')
    this.agent = this.#start()
    this.#feeder = new Feeder(this.device, version, hash)
  }

  async pass(seconds: number): Promise<void> {
    if (seconds > 10) await this.platform.leap(seconds - 10)
    await this.platform.advance(Math.min(seconds, 10))
    await settle()
  }

  #start(): Agent {
    const fault = this.driver.fault
    this.driver = new SimulatedDriver(this.platform, fault)
    const { driver } = this
    const agent = new Agent({
      platform: this.platform,
      log: silentLog,
      driver: {
        run: async order => {
          const driven = await driver.run(order)
          const moves = order.action_id === 'hold' || order.action_id === 'secure'
          if (driven.outcome === 'done' && moves) this.locks.set(order.gadget_id, order.action_id)
          return driven
        },
        power: () => ({}),
      },
      connect: () => ({ send: () => {}, hold: () => {}, close: () => {} }),
      devices: [{ hardware_id: 'hw_RANDOM', storage: openMemoryStorage(this.disk) }],
    })
    agent.devices[0]?.name(ownDevice)
    agent.start()
    return agent
  }
}

type Step = (building: Building) => unknown
const at = ({ platform }: Building, seconds = 0) => fromMicroseconds(platform.wall() + seconds * 1e6)
const em = lockdown().id
const door = fc.constantFrom(...doors)

/** Everything that can happen to the doors of a building. */
const steps: fc.Arbitrary<[string, Step]>[] = [
  fc
    .tuple(fc.constantFrom('lockdown', 'evacuation'), fc.option(fc.integer({ min: 1, max: 7200 })))
    .map(([type, lease]) => [
      `${type} for ${lease}`,
      b =>
        b.feed({
          emergencies: [lockdown({ type, started_at: at(b), ...(lease && { held_until: at(b, lease) }) })],
        }),
    ]),
  fc.constant(['end', b => b.feed({}, { emergencies: [em] })]),
  fc
    .tuple(door, fc.constantFrom('unlocked', 'controlled'), fc.constantFrom('indefinitely', 'until'))
    .map(([id, mode, lasts]) => [
      `override ${id} ${mode} ${lasts}`,
      b => b.feed({ overrides: [{ id, mode, lasts, until: at(b, 1800), set_at: at(b) }] }),
    ]),
  door.map(id => [`scheduled ${id}`, b => b.feed({}, { overrides: [id] })]),
  fc
    .boolean()
    .map(waits => [
      `rule ${waits}`,
      b => b.feed({ unlock_rules: [{ ...rule, gadget_ids: doors, ...(waits && { first_person }) }] }),
    ]),
  fc.constant(['no rule', b => b.feed({}, { unlock_rules: [rule.id] })]),
  fc
    .constantFrom('panic', 'exit', 'leave')
    .map(signal => [signal, b => b.agent.reportSignal(street.id, signal)]),
  fc.constantFrom('', '*9', '*8').map(code => [
    `guard ${code}`,
    async b => {
      for (const key of `${code}${pins.guard}#`) await b.device.station.press(key)
    },
  ]),
  fc
    .constantFrom('alarm', 'quiet')
    .map(state => [state, b => b.agent.reportState(fire.source_gadget_id, state)]),
  fc.constant(['reset', b => b.feed({ sites: [{ ...site, fire: { ...site.fire, reset_at: at(b) } }] })]),
  fc.boolean().map(isCold => [`kill ${isCold}`, b => b.kill(isCold)]),
  fc.constant(['synchronize', b => b.synchronize()]),
  fc.constantFrom('stuck_door' as const, undefined).map(fault => [
    `fault ${fault}`,
    b => {
      b.driver.fault = fault
    },
  ]),
  fc.integer({ min: 1, max: 40_000 }).map(seconds => [`pass ${seconds}`, b => b.pass(seconds)]),
]

/** What the lock of a door must be by its mode; undefined if no mode concerns it. */
function wantedLock({ agent, device }: Building, id: string) {
  const { time, is_sure } = agent.clock.now()
  const now = modeOfDoor(device.station.policy.compiled, id, is_sure ? time : Number.NaN)
  if (!now) throw new Error('no door')
  const { effective, source } = now.mode
  return { effective, source, lock: isHeldOpen(effective) ? 'hold' : 'secure' }
}

test('whatever happens, in the end every door is what its mode says, and the journal says the same', async () => {
  const scripts = fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 25 })
  const property = fc.asyncProperty(scripts, async script => {
    const building = new Building()
    await building.install()
    for (const [, step] of script) {
      await step(building)
      await settle()
    }
    building.driver.fault = undefined
    await building.pass(30)
    for (const id of doors) {
      const { effective, source, lock } = wantedLock(building, id)
      // A lock that nothing has ever moved is where it was.
      expect(building.locks.get(id) ?? (source === 'default' ? lock : undefined)).toBe(lock)
      const modes = [...building.disk.journal.values()].filter(event => event.type === 'mode')
      const last = modes.findLast(event => event.gadget_id === id)
      expect([last?.mode ?? 'controlled', last?.source ?? 'default', last?.outcome ?? 'done']).toEqual([
        effective,
        source,
        'done',
      ])
    }
  })
  await fc.assert(property, { numRuns: manyOr(60) })
})
