import { fromMicroseconds } from '@gatehouse-access/core'
import type { Chance } from '@gatehouse-access/testkit'
import type { Moment } from '../../packages/server/src/database/moment.ts'
import type { Outcome } from '../../packages/server/src/devices/commands/commands.ts'
import type { VersionOfDevice } from '../../packages/server/src/devices/policy/versions.ts'
import type { ForgetfulLane } from './lane.ts'
import type { FarEnd, Peer } from './network.ts'
import { type Committed, commandAction, mostCommands, Office } from './office.ts'
import type { Building, Door, Organization } from './organization.ts'
import { type Ending, ServiceProcess } from './service-process.ts'
import type { SimulatedTime } from './time.ts'

/** What a version may contain: everything up to the first state, and nothing after the last. */
export interface Range {
  readonly first: number
  readonly last: number
}

export interface AskedCommand {
  readonly door: Door
  readonly action_id: string
  /** Microseconds. */
  readonly asked_at: number
  /** Undefined if the process died before it answered. */
  outcome: Outcome | undefined
}

const processCount = 2
/** More than other seeds use meanwhile, because they share the cluster's transaction ids. */
const longestTail = 2000

/** The service: several processes on one database, and its administrator. */
export class SimulatedService {
  readonly #time: SimulatedTime
  readonly #chance: Chance
  readonly #lane: ForgetfulLane
  readonly #office: Office
  readonly #states: Committed[]
  readonly #slots: ServiceProcess[] = []
  /** By device, version and hash. */
  readonly #versions = new Map<string, Range>()
  readonly #latest = new Map<string, number>()
  /** Microseconds. */
  #awayUntil = 0
  readonly commands: AskedCommand[] = []
  /** Called whenever the service considers a version applied. */
  onApplied: (claim: VersionOfDevice) => void = () => {}
  crashes = 0
  databaseCrashes = 0
  /** Applies to every process, current and future. */
  frailty = 0
  slowness = 5

  private constructor(
    lane: ForgetfulLane,
    time: SimulatedTime,
    chance: Chance,
    office: Office,
    first: Committed,
  ) {
    this.#lane = lane
    this.#time = time
    this.#chance = chance
    this.#office = office
    this.#states = [first]
    for (let slot = 0; slot < processCount; slot++) this.#start(slot)
  }

  static async open(lane: ForgetfulLane, time: SimulatedTime, chance: Chance): Promise<SimulatedService> {
    await lane.db.query('TRUNCATE device_connections, device_processes')
    const { office, first } = await Office.open(lane, chance.fork(), () => fromMicroseconds(time.now))
    return new SimulatedService(lane, time, chance, office, first)
  }

  get building(): Building {
    return this.#office.building
  }

  get newest(): number {
    return this.#states.length - 1
  }

  stateAt(index: number): Organization {
    return (this.#states[index] as Committed).organization
  }

  /** Returns undefined if the service never made the version. */
  rangeOf(deviceId: string, { version, hash }: { version: number; hash: string }): Range | undefined {
    return this.#versions.get(`${deviceId} ${version} ${hash}`)
  }

  /** Returns the version made last. */
  latestVersion(deviceId: string): number | undefined {
    return this.#latest.get(deviceId)
  }

  /** Returns the newest state that a snapshot of the database fully sees. */
  stateIn({ epoch, snapshot }: Moment): number {
    const [low, high, under = ''] = snapshot.split(':')
    const open = new Set(under.split(',').map(Number))
    const sees = (id: number) => id < Number(low) || (id < Number(high) && !open.has(id))
    return this.#states.findLastIndex(
      state => state.epoch < epoch || (state.epoch === epoch && sees(state.transaction_id)),
    )
  }

  async change(): Promise<void> {
    const before = this.stateAt(this.newest)
    this.#states.push(await this.#time.outside(() => this.#office.change(before)))
    this.#wake()
  }

  /**
   * Kills PostgreSQL shortly after other processes sent notifications. Makes the next change as soon as it is
   * back.
   */
  async crashDatabase(): Promise<void> {
    this.#lane.db.commitUnsynced(longestTail)
    this.#wake()
    await this.#time.pass(1)
    await this.#time.outside(() => this.#lane.db.crash())
    this.databaseCrashes++
    await this.change()
  }

  /** Sends a command through a random ready process. */
  async command(door: Door): Promise<void> {
    const ready = this.#slots.filter(({ isReady }) => isReady)
    if (ready.length === 0 || this.commands.length === mostCommands) return
    const { organization_id, site_id } = this.building
    const { device_id, hardware_id, command_gadget_id: gadget_id } = door
    const action_id = commandAction(this.commands.length)
    const asked: AskedCommand = { door, action_id, asked_at: this.#time.now, outcome: undefined }
    this.commands.push(asked)
    const object = {
      type: 'gadget_action',
      gadget_id,
      gadget_action_id: action_id,
      device_id,
      site_id,
    } as const
    const event = { subject: {}, object }
    const place = { organization_id, device_id, hardware_id, gadget_id, action_id }
    asked.outcome = await this.#chance.pick(ready).run({ ...place, event })
  }

  async connect({ hardware_id, secret }: Door, far: FarEnd): Promise<Peer | undefined> {
    const ready = this.#slots.filter(({ isReady }) => isReady)
    if (ready.length === 0) return undefined
    return this.#chance.pick(ready).connect(hardware_id, secret, far)
  }

  end(ending: Ending): void {
    this.#chance.pick(this.#slots).end(ending)
  }

  /** Ends all processes. They are back after so many seconds. */
  stayAway(seconds: number): void {
    this.#awayUntil = this.#time.now + seconds * 1e6
    for (const process of this.#slots) process.end('power')
  }

  setFrailty(frailty: number): void {
    this.frailty = frailty
    for (const process of this.#slots) process.frailty = frailty
  }

  setSlowness(slowness: number): void {
    this.slowness = slowness
    for (const process of this.#slots) process.slowness = slowness
  }

  /** Returns since when a process has been up without interruption. */
  get upSince(): number {
    const ready = this.#slots.filter(({ isReady }) => isReady)
    return Math.min(...ready.map(({ readyAt }) => readyAt), this.#time.now)
  }

  #start(slot: number): void {
    const process = new ServiceProcess(
      {
        lane: this.#lane,
        time: this.#time,
        chance: this.#chance,
        now: () => fromMicroseconds(this.#time.now),
        wake: () => this.#wake(),
        notify: (channel, payload) => this.#later(30, other => other.deliver(channel, payload)),
        noticed: (text, params) => this.#notice(text, params),
      },
      () => this.#ended(slot),
    )
    process.frailty = this.frailty
    process.slowness = this.slowness
    this.#slots[slot] = process
  }

  /** Restarts the process after a while. */
  #ended(slot: number): void {
    this.crashes++
    const pause = this.#chance.between(50, this.#chance.pick([1000, 30_000]))
    this.#time.later(pause, () => this.#restart(slot))
  }

  #restart(slot: number): void {
    const away = this.#awayUntil - this.#time.now
    if (away > 0) this.#time.later(away / 1000, () => this.#start(slot))
    else this.#start(slot)
  }

  #wake(): void {
    this.#later(20, process => process.wake())
  }

  #later(milliseconds: number, tell: (process: ServiceProcess) => void): void {
    for (const process of this.#slots)
      this.#time.later(this.#chance.between(1, milliseconds), () => tell(process))
  }

  /** Records the range of a version when it is stored, which is before it is sent. */
  #notice(text: string, params: readonly unknown[]): void {
    if (text.includes('UPDATE device_policies p SET applied_version'))
      for (const claim of params[0] as VersionOfDevice[]) this.onApplied(claim)
    if (!text.includes('UPDATE device_policies p SET version')) return
    for (const made of params[0] as VersionOfDevice[]) {
      const { device_id, version, hash } = made
      const range = { first: this.stateIn(made), last: this.newest }
      this.#versions.set(`${device_id} ${version} ${hash}`, range)
      this.#latest.set(device_id, version)
    }
  }
}
