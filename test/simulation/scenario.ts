import { isDeepStrictEqual } from 'node:util'
import { type JournalEvent, journalEvent } from '@gatehouse/api'
import { compilePolicy, decide, fromMicroseconds, type Reason, toMicroseconds } from '@gatehouse/core'
import { SimulatedEdge } from './edge.ts'
import { Network } from './network.ts'
import {
  changeSomething,
  commandActions,
  commandGadget,
  credentialOf,
  doorOf,
  engineRows,
  foundOrganization,
  idOf,
  type Organization,
} from './organization.ts'
import { Chance } from './random.ts'
import { SimulatedService } from './service.ts'
import { SimulatedTime } from './time.ts'

const devices = [1, 2, 3].map(number => idOf('dev', number))
const timely: readonly (Reason | null)[] = ['member_not_started', 'member_ended', 'outside_schedule']

export interface Report {
  readonly problems: string[]
  readonly counts: { decisions: number; events: number; crashes: number; versions: number; commands: number }
}

/** Three edges, one service and everything that can happen between them, decided by a seed. */
export async function simulate(seed: number): Promise<Report> {
  const scenario = new Scenario(seed)
  await scenario.run()
  return scenario.report()
}

class Scenario {
  readonly #chance: Chance
  /** The night in which clocks change. */
  readonly #time = new SimulatedTime(toMicroseconds('2026-03-29T00:20:00Z'))
  readonly #service: SimulatedService
  readonly #edges: SimulatedEdge[]
  readonly #networks = new Map<SimulatedEdge, Network>()
  readonly #problems: string[] = []
  readonly #commands = new Map<string, { action_id: string; deadline: number; device: string }>()
  #organization: Organization
  #decisions = 0

  constructor(seed: number) {
    this.#chance = new Chance(seed)
    this.#organization = foundOrganization(this.#chance, devices)
    this.#service = new SimulatedService(this.#time, devices, this.#organization)
    this.#edges = devices.map(device => {
      const network = new Network(this.#time, this.#chance, far => this.#service.accept(device, far))
      const edge = new SimulatedEdge(device, this.#time, this.#chance, network)
      this.#networks.set(edge, network)
      return edge
    })
  }

  async run(): Promise<void> {
    await this.#time.pass(10)
    for (let step = 0; step < 60; step++) {
      this.#step(step)
      await this.#time.pass(
        this.#chance.happens(0.1) ? this.#chance.between(60, 600) : this.#chance.between(0, 8),
      )
    }
    for (const edge of this.#edges) {
      edge.frailty = 0
    }
    for (const network of this.#networks.values()) {
      network.weather = 0
      network.mend()
    }
    await this.#time.pass(300)
  }

  report(): Report {
    for (const edge of this.#edges) {
      this.#checkJournal(edge)
      this.#checkPolicy(edge)
      this.#checkCommands(edge)
    }
    this.#problems.push(...this.#service.faults.map(fault => `the service could not read: ${fault}`))
    return {
      problems: this.#problems,
      counts: {
        decisions: this.#decisions,
        events: this.#edges.reduce((sum, { written }) => sum + written.size, 0),
        crashes: this.#edges.reduce((sum, { crashes }) => sum + crashes, 0),
        versions: this.#service.versionOf(devices[0] as string),
        commands: this.#commands.size,
      },
    }
  }

  #step(step: number): void {
    const edge = this.#chance.pick(this.#edges)
    const happening = this.#chance.pick([
      'input',
      'input',
      'input',
      'input',
      'policy',
      'policy',
      'command',
      'report',
      'world',
    ] as const)
    if (happening === 'input') void this.#input(edge)
    if (happening === 'policy') this.#changePolicy(step)
    if (happening === 'command') this.#command(edge, step)
    if (happening === 'report') void this.#reportSomething(edge)
    if (happening === 'world') this.#changeWorld(edge)
  }

  #changeWorld(edge: SimulatedEdge): void {
    const network = this.#networks.get(edge) as Network
    const what = this.#chance.pick([
      'cut',
      'mend',
      'weather',
      'frail',
      'power',
      'process',
      'service',
    ] as const)
    if (what === 'cut') network.cut()
    if (what === 'mend') network.mend()
    if (what === 'weather') network.weather = this.#chance.pick([0, 0.1, 0.4])
    if (what === 'frail') edge.frailty = this.#chance.pick([0, 0.02, 0.1])
    if (what === 'power' || what === 'process') edge.crash(what)
    if (what === 'service') this.#service.restart()
  }

  #changePolicy(step: number): void {
    this.#organization = changeSomething(this.#organization, this.#chance, devices, 100 + step)
    this.#service.change(this.#organization)
  }

  #command(edge: SimulatedEdge, step: number): void {
    const action_id = commandActions[this.#commands.size]
    if (action_id === undefined) return
    const id = `command-${step}`
    const deadline = this.#time.now + this.#chance.pick([10, 10, 0.2]) * 1e6
    this.#commands.set(id, { action_id, deadline, device: edge.device })
    this.#service.command(edge.device, {
      id,
      gadget_id: commandGadget,
      action_id,
      deadline: fromMicroseconds(deadline),
    })
  }

  async #reportSomething(edge: SimulatedEdge): Promise<void> {
    if (!edge.isAlive) return
    const gadget = doorOf(edge.device)
    if (this.#chance.happens(0.5)) await edge.agent.reportSignal(gadget, 'bell')
    else await edge.agent.reportState(gadget, this.#chance.pick(['open', 'closed']))
  }

  /** Somebody at the door: with a PIN or card of now or of another time, or with none. */
  async #input(edge: SimulatedEdge): Promise<void> {
    const device = edge.agent.devices[0]
    if (!edge.isAlive || !device) return
    const versions = () => device.intake.head?.version ?? 0
    const version = this.#chance.whole(1, this.#service.versionOf(edge.device))
    const { people } = this.#service.organizationAt(edge.device, version) as Organization
    const person = people.length > 0 && this.#chance.happens(0.9) ? this.#chance.pick(people) : undefined
    const isCard = this.#chance.happens(0.3)
    const secret = isCard ? (person?.uid ?? '0BADBAD0') : (person?.pin ?? '0000')
    const began = versions()
    const code = this.#service.organizationAt(edge.device, began)?.code ?? ''
    const events: JournalEvent[] = []
    // A star where it begins no code clears what somebody else had typed.
    for (const key of isCard ? code : `*${code}${secret}#`) events.push(...(await device.station.press(key)))
    if (isCard) events.push(...(await device.station.tap(secret)))
    for (const event of events)
      this.#checkDecision(edge, event, isCard ? 'card' : 'pin', secret, [began, versions()])
  }

  /** It must be what the engine says for a version that was in force meanwhile. */
  #checkDecision(
    edge: SimulatedEdge,
    event: JournalEvent,
    kind: 'pin' | 'card',
    secret: string,
    [first, last]: [number, number],
  ): void {
    if (event.type !== 'use' && event.type !== 'denial') return
    if (event.type === 'denial' && event.reason === 'keypad_paused') return
    this.#decisions++
    const got = event.type === 'use' ? null : event.reason
    const expected = []
    for (let version = first; version <= last; version++)
      expected.push(this.#engineSays(edge, version, kind, secret, event))
    if (!expected.flat().includes(got))
      this.#problems.push(
        `${edge.device} at versions ${first} to ${last} said ${got} for ${kind} ${secret} at ${event.occurred_at}; the engine: ${expected}`,
      )
  }

  /** With a code typed that is no longer one, or not yet, nothing is known of anybody. */
  #engineSays(
    { device }: SimulatedEdge,
    version: number,
    kind: 'pin' | 'card',
    secret: string,
    event: JournalEvent,
  ): (string | null)[] {
    const organization = this.#service.organizationAt(device, version)
    const person = organization?.people.find(({ pin, uid }) => secret === (kind === 'pin' ? pin : uid))
    if (!organization || !person || !('gadget_id' in event) || !event.gadget_id) return ['unknown_credential']
    const isUnsure = event.clock_unsure === true
    const { allowed, reason } = decide(compilePolicy(engineRows(organization, devices)), {
      credential_id: credentialOf(kind === 'pin' ? 'mp' : 'mc', person.id),
      gadget_id: doorOf(device),
      action_id: 'open',
      at: isUnsure ? Number.NaN : toMicroseconds(event.occurred_at),
    })
    return [allowed ? null : isUnsure && timely.includes(reason) ? 'clock_unsure' : reason]
  }

  /** Nothing lost, nothing doubled, in order, and everything as it was written down. */
  #checkJournal({ device, disk, written }: SimulatedEdge): void {
    const stored = this.#service.journalsOf(device).get(disk.journal_id) ?? []
    const expected = [...written.values()]
      .sort((a, b) => a.sequence - b.sequence)
      .map(event => journalEvent.parse(JSON.parse(JSON.stringify(event)), ''))
    if (!isDeepStrictEqual(stored, expected))
      this.#problems.push(
        `${device} wrote ${expected.map(describe)} and the service has ${stored.map(describe)}`,
      )
    if (stored.some(({ sequence }, index) => sequence !== index + 1))
      this.#problems.push(`${device}: the numbers have a gap`)
    const times = stored
      .map(({ occurred_at, clock_unsure }) => (clock_unsure ? '' : occurred_at))
      .filter(Boolean)
    if (times.some((time, index) => toMicroseconds(time) < toMicroseconds(times[index - 1] ?? time) - 2e6))
      this.#problems.push(`${device}: times run back: ${times}`)
    if (disk.journal.size > 0) this.#problems.push(`${device}: its journal still holds what was acknowledged`)
  }

  /** Every edge has come to the newest version and answers as it says. */
  #checkPolicy(edge: SimulatedEdge): void {
    const device = edge.agent.devices[0]
    const newest = this.#service.versionOf(edge.device)
    if (!edge.isAlive || !edge.agent.link.is_live || device?.intake.head?.version !== newest) {
      this.#problems.push(`${edge.device} is at version ${device?.intake.head?.version}, not at ${newest}`)
      return
    }
    const policy = compilePolicy(engineRows(this.#organization, devices))
    for (const { id, pin } of this.#organization.people) {
      const found = device.station.policy.identify('pin', pin)
      const ask = {
        gadget_id: doorOf(edge.device),
        action_id: 'open',
        at: this.#time.now,
        credential_id: credentialOf('mp', id),
      }
      const answer = device.station.policy.decide({ ...ask, member_id: id })
      if (found?.member_id !== id || answer.reason !== decide(policy, ask).reason)
        this.#problems.push(
          `${edge.device} answers ${answer.reason} for ${id}, the engine ${decide(policy, ask).reason}`,
        )
    }
  }

  /** Once at the most, in time, and done where it was said to be. */
  #checkCommands({ device, driven }: SimulatedEdge): void {
    for (const [id, command] of this.#commands) {
      if (command.device !== device) continue
      const runs = driven.filter(({ action_id }) => action_id === command.action_id)
      const told = new Set(
        this.#service.outcomes.filter(outcome => outcome.id === id).map(({ outcome }) => outcome),
      )
      if (runs.length > 1) this.#problems.push(`${id} was executed ${runs.length} times`)
      if (runs.some(({ at }) => at - 300_000 > command.deadline))
        this.#problems.push(`${id} was executed late`)
      if (told.has('done') && runs.length !== 1)
        this.#problems.push(`${id} was told done and run ${runs.length} times`)
      if ((told.has('refused') || told.has('timed_out')) && runs.length > 0)
        this.#problems.push(`${id} was refused and run`)
      if (told.size > 1) this.#problems.push(`${id} ended as ${[...told]}`)
    }
  }
}

function describe(event: JournalEvent): string {
  return `${event.sequence} ${event.type} ${'reason' in event ? event.reason : ''}`
}
