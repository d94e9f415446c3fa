import type { JournalEvent } from '@gatehouse-access/api'
import { toMicroseconds } from '@gatehouse-access/core'
import { Chance } from '@gatehouse-access/testkit'
import { checkClaims, checkEnd, nameOf, type Scene } from './checks.ts'
import { SimulatedEdge } from './edge.ts'
import { ForgetfulDatabase } from './forgetful-database.ts'
import type { ForgetfulLane, Lane } from './lane.ts'
import { Leases } from './leases.ts'
import { Network } from './network.ts'
import { Oracle } from './oracle.ts'
import { SimulatedService } from './service.ts'
import { SimulatedTime } from './time.ts'

/** The night of the clock change. */
export const night = '2026-03-29T00:20:00Z'

export interface Report {
  readonly problems: string[]
  readonly counts: {
    decisions: number
    events: number
    edge_crashes: number
    service_crashes: number
    database_crashes: number
    states: number
    commands: number
    done: number
    exits: number
    lockdowns: number
    leases: number
  }
}

/** Seconds. */
const longerThanLease = 960
/** Seconds: a lost connection is noticed after 55, and the next attempt may come 45 later. */
const longestCalm = 150

/**
 * Simulates three edges, a service of two processes and everything that can happen between them, determined
 * by a seed.
 */
export async function simulate(
  seed: number,
  given: Lane,
  { steps, isGuarded = true, isHonest = true }: { steps: number; isGuarded?: boolean; isHonest?: boolean },
): Promise<Report> {
  const lane: ForgetfulLane = { ...given, db: new ForgetfulDatabase(given.db, isGuarded) }
  const chance = new Chance(seed)
  const time = new SimulatedTime(toMicroseconds(night))
  const service = await SimulatedService.open(lane, time, chance.fork())
  const scenario = new Scenario(chance, lane, time, service, isHonest)
  return scenario.run(steps)
}

class Scenario {
  readonly #chance: Chance
  readonly #time: SimulatedTime
  readonly #service: SimulatedService
  readonly #edges: SimulatedEdge[]
  readonly #oracle: Oracle
  readonly #scene: Scene
  readonly #problems: string[] = []
  #decisions = 0
  #exits = 0

  constructor(
    chance: Chance,
    lane: ForgetfulLane,
    time: SimulatedTime,
    service: SimulatedService,
    isHonest: boolean,
  ) {
    this.#chance = chance
    this.#time = time
    this.#service = service
    this.#oracle = new Oracle(service)
    this.#edges = service.building.doors.map(door => {
      const network = new Network(time, chance.fork(), far => service.connect(door, far))
      return new SimulatedEdge(door, time, chance.fork(), network)
    })
    for (const edge of this.#edges) edge.isHonest = isHonest
    service.onApplied = claim => this.#checkApplied(claim)
    const leases = new Leases(service, time)
    this.#scene = { lane, time, service, edges: this.#edges, oracle: this.#oracle, leases }
  }

  #checkApplied({ device_id, version, hash }: { device_id: string; version: number; hash: string }): void {
    const edge = this.#edges.find(({ door }) => door.device_id === device_id)
    if (!edge?.versions.has(`${version} ${hash}`))
      this.#problems.push(`${version} is taken for applied, and is not on the disk of ${device_id}`)
  }

  async run(steps: number): Promise<Report> {
    for (let change = 0; change < 6; change++) await this.#service.change()
    await this.#time.pass(5)
    for (let step = 0; step < steps && this.#problems.length === 0; step++) {
      await this.#step()
      await this.#pass(this.#pause())
      if (step % 4 === 0) this.#problems.push(...(await checkClaims(this.#scene)))
    }
    await this.#calm()
    this.#problems.push(...(await checkEnd(this.#scene)))
    return { problems: this.#problems, counts: this.#count() }
  }

  /** Mostly moments, sometimes a minute, and now and then longer than a lease. */
  #pause(): number {
    if (this.#chance.happens(0.01)) return longerThanLease
    return this.#chance.happens(0.05) ? this.#chance.between(20, 80) : this.#chance.between(0, 4)
  }

  async #pass(seconds: number): Promise<void> {
    if (seconds < longerThanLease) return this.#time.pass(seconds)
    this.#becomeRobust()
    if (this.#chance.happens(0.5)) this.#service.stayAway(seconds)
    // A door takes a moment: the leases are looked at twice.
    for (const part of [seconds - 10, 10]) {
      await this.#time.pass(part)
      this.#problems.push(...this.#scene.leases.check(this.#edges))
    }
  }

  #becomeRobust(): void {
    this.#service.setFrailty(0)
    for (const edge of this.#edges) edge.frailty = 0
  }

  async #calm(): Promise<void> {
    this.#becomeRobust()
    this.#service.setSlowness(5)
    for (const edge of this.#edges) {
      edge.network.weather = 0
      edge.network.mend()
    }
    for (let waited = 0; waited < longestCalm && !this.#isQuiet(); waited += 5) await this.#time.pass(5)
    // By then, everything pending is sent, and every caller waiting for an outcome has given up.
    await this.#time.pass(15)
  }

  /** Returns whether every edge is up, has reported everything, and has the latest version. */
  #isQuiet(): boolean {
    return this.#edges.every(
      ({ isAlive, agent, network, disk, door }) =>
        isAlive &&
        agent.link.is_live &&
        network.isConnected &&
        disk.journal.size === 0 &&
        agent.devices[0]?.intake.head?.version === this.#service.latestVersion(door.device_id),
    )
  }

  #count(): Report['counts'] {
    const sum = (of: (edge: SimulatedEdge) => number) =>
      this.#edges.reduce((total, edge) => total + of(edge), 0)
    return {
      decisions: this.#decisions,
      events: sum(({ written }) => written.length),
      edge_crashes: sum(({ crashes }) => crashes),
      service_crashes: this.#service.crashes,
      database_crashes: this.#service.databaseCrashes,
      states: this.#service.newest,
      commands: this.#service.commands.length,
      done: this.#service.commands.filter(({ outcome }) => outcome === 'done').length,
      exits: this.#exits,
      lockdowns: sum(({ written }) => written.filter(isLockdown).length),
      leases: sum(({ written }) => written.filter(isLeaseEnd).length),
    }
  }

  async #step(): Promise<void> {
    const edge = this.#chance.pick(this.#edges)
    const happening = this.#chance.pick([
      'input',
      'input',
      'input',
      'input',
      'policy',
      'policy',
      'policy',
      'command',
      'command',
      'report',
      'exit',
      'exit',
      'edge',
      'edge',
      'service',
      'service',
    ] as const)
    if (happening === 'input') void this.#input(edge)
    if (happening === 'policy') await this.#service.change()
    if (happening === 'command') void this.#service.command(edge.door)
    if (happening === 'report') void this.#reportSomething(edge)
    if (happening === 'exit') void this.#leave(edge)
    if (happening === 'edge') this.#changeEdge(edge)
    if (happening === 'service') await this.#changeService()
  }

  #changeEdge(edge: SimulatedEdge): void {
    const { network } = edge
    const what = this.#chance.pick(['cut', 'stall', 'mend', 'weather', 'frail', 'power', 'process'] as const)
    if (what === 'cut') network.cut()
    if (what === 'stall') network.stall(this.#chance.between(2, 35))
    if (what === 'mend') network.mend()
    if (what === 'weather') network.weather = this.#chance.pick([0, 0.1, 0.4])
    if (what === 'frail') edge.frailty = this.#chance.pick([0, 0.02, 0.1])
    if (what === 'power' || what === 'process') edge.crash(what)
  }

  async #changeService(): Promise<void> {
    const what = this.#chance.pick([
      'frail',
      'frail',
      'slow',
      'power',
      'process',
      'terminated',
      'database',
      'database',
    ] as const)
    if (what === 'database') await this.#service.crashDatabase()
    else if (what === 'frail') this.#service.setFrailty(this.#chance.pick([0, 0.005, 0.03]))
    else if (what === 'slow') this.#service.setSlowness(this.#chance.pick([5, 50, 400]))
    else this.#service.end(what)
  }

  async #reportSomething(edge: SimulatedEdge): Promise<void> {
    if (!edge.isAlive) return
    const { gadget_id } = edge.door
    if (this.#chance.happens(0.5)) await edge.agent.reportSignal(gadget_id, 'bell')
    else await edge.agent.reportState(gadget_id, this.#chance.pick(['open', 'closed']))
  }

  /** Somebody presses the exit button. Whatever else is going on, the door is released at once. */
  async #leave(edge: SimulatedEdge): Promise<void> {
    const device = edge.agent.devices[0]
    if (!edge.isAlive || !device?.intake.head) return
    const { gadget_id } = edge.door
    const [asked, lives] = [edge.asked.length, edge.crashes]
    const pressedAt = this.#time.now
    await edge.agent.reportSignal(gadget_id, 'exit')
    if (edge.crashes !== lives) return
    this.#exits++
    const released = edge.asked
      .slice(asked)
      .some(order => order.gadget_id === gadget_id && order.action_id === 'open')
    if (!released) this.#problems.push(`${nameOf(edge)} refused an exit at ${pressedAt}`)
  }

  /** Someone uses the door: with a current or former PIN or card, or with none. */
  async #input(edge: SimulatedEdge): Promise<void> {
    const device = edge.agent.devices[0]
    if (!edge.isAlive || !device) return
    const { people } = this.#service.stateAt(this.#chance.whole(0, this.#service.newest))
    const person = people.length > 0 && this.#chance.happens(0.9) ? this.#chance.pick(people) : undefined
    const kind = this.#chance.happens(0.3) ? ('card' as const) : ('pin' as const)
    const secret = kind === 'card' ? (person?.uid ?? '0BADBAD0') : (person?.pin ?? '000000')
    const { head } = device.intake
    const began = edge.agent.clock.now().time
    const known = head && this.#service.rangeOf(edge.door.device_id, head)
    if (head && !known) this.#problems.push(`${nameOf(edge)} has ${head.version}, which nobody made`)
    const code = this.#service.stateAt(known?.last ?? 0).code
    const events: JournalEvent[] = []
    // A star that starts no code clears what was typed before.
    for (const key of kind === 'card' ? code : `*${code}${secret}#`)
      events.push(...(await device.station.press(key)))
    if (kind === 'card') events.push(...(await device.station.tap(secret)))
    const after = device.intake.head && this.#service.rangeOf(edge.door.device_id, device.intake.head)
    if (!known || !after) return
    for (const event of events)
      this.#checkDecision(edge, event, kind, secret, began, { first: known.first, last: after.last })
  }

  /** The decision must match the engine's for a version that was in force meanwhile. */
  #checkDecision(
    edge: SimulatedEdge,
    event: JournalEvent,
    kind: 'pin' | 'card',
    secret: string,
    began: number,
    range: { first: number; last: number },
  ): void {
    if (event.type !== 'use' && event.type !== 'denial') return
    if (event.type === 'denial' && event.reason === 'keypad_paused') return
    this.#decisions++
    const answer = event.type === 'use' ? null : event.reason
    // With a code that is no longer or not yet valid, no credential is known.
    if (!event.gadget_id && answer === 'unknown_credential') return
    const times = event.clock_unsure ? [Number.NaN] : [began, toMicroseconds(event.occurred_at)]
    if (times.some(at => this.#oracle.allows(answer, { door: edge.door, kind, secret, at }, range))) return
    this.#problems.push(
      `${nameOf(edge)} said ${answer} to ${kind} ${secret} at ${event.occurred_at}, with states ${range.first} to ${range.last}`,
    )
  }
}

function isLockdown(event: JournalEvent): boolean {
  return event.type === 'mode' && event.mode === 'lockdown'
}

function isLeaseEnd(event: JournalEvent): boolean {
  return event.type === 'mode' && event.cause === 'lease_ended'
}
