import { type Once, once } from '../../flow/once.ts'
import { Pace, Paces } from '../../flow/pace.ts'
import { Slots } from '../../flow/slots.ts'
import { pause } from '../../flow/timers.ts'
import { Trouble } from '../../monitoring/trouble.ts'
import type { NewBody } from '../../store/deliveries.ts'
import { Bodies } from './bodies.ts'
import type { DeliveryContext } from './context.ts'
import { changedWebhook } from './fan-out.ts'
import { Lane, type LaneTools } from './lane.ts'
import { acquireLanes, findDueLanes, type LaneRow, releaseLanes, renewLanes } from './lanes.ts'
import type { SenderOptions } from './open-sender.ts'
import { Outcomes } from './outcomes.ts'
import type { Sender } from './send.ts'

const longestWait = 250
const shortestWait = 5
const renewal = 5000
const longestIdle = 3000
const mostLanes = 5000
/** Concurrent attempts in this process, in all and per organization. */
const mostAttempts = 1024
const mostOfOne = 256
/** Attempts per second at receivers that are down. A refusal costs more than a delivery. */
const hopelessPerSecond = 500
const hopelessOfOne = 200

/** Loaded for the first delivery: the HTTP client takes 25 MB. */
export const loadSender = () => import('./open-sender.ts')

/** Processes the delivery queue until it is disposed. Every process may run a dispatcher. */
export class Dispatcher implements AsyncDisposable {
  #context: DeliveryContext
  #owner: string
  #lanes = new Map<string, Lane>()
  #tools: Omit<LaneTools, 'sender'>
  #sender: Once<Sender>
  #end = new AbortController()
  #loops: Promise<unknown>[]
  #stop = () => {}
  #trouble: Trouble

  constructor(context: DeliveryContext, options: SenderOptions) {
    this.#context = context
    this.#owner = context.life.owner
    this.#sender = once(async () => (await loadSender()).openSender(options, context.timers))
    this.#tools = {
      context,
      owner: this.#owner,
      slots: new Slots(mostAttempts, mostOfOne),
      hopeless: { each: new Paces(hopelessOfOne), all: new Pace(hopelessPerSecond) },
      outcomes: new Outcomes(context),
      bodies: new Bodies(),
      trouble: {
        lanes: new Trouble(context.log, 'lanes of deliveries stopped'),
        health: new Trouble(context.log, 'the state of webhooks cannot be noted'),
      },
    }
    this.#trouble = new Trouble(context.log, 'deliveries wait for the database')
    this.#loops = [this.#run(), this.#listen()]
  }

  /** Wakes lanes after deliveries were queued. Returns whether all lanes are here. */
  wake(webhookIds: readonly string[], bodies: readonly NewBody[]): boolean {
    for (const body of bodies) this.#tools.bodies.put(body)
    const lanes = webhookIds.map(id => this.#lanes.get(id))
    for (const lane of lanes) lane?.poke()
    return !lanes.includes(undefined)
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    const { timers } = this.#context
    let renewed = timers.elapsed()
    while (!signal.aborted) {
      const called = this.#context.deliveries.next()
      await this.#tryTo(() => this.#poll())
      if (timers.elapsed() - renewed > renewal) {
        await this.#tryTo(() => this.#renew())
        renewed = timers.elapsed()
      }
      await pause(timers, longestWait, signal, called)
      await pause(timers, shortestWait)
    }
  }

  async #tryTo(work: () => Promise<void>): Promise<void> {
    await work().then(
      () => this.#trouble.over(),
      error => this.#trouble.met(error),
    )
  }

  /** Acquires free lanes with due deliveries, and wakes the lanes of this process that have some. */
  async #poll(): Promise<void> {
    const { db, clock } = this.#context
    const now = clock.now()
    const mine = await findDueLanes(db, this.#owner, now)
    const taken = await acquireLanes(db, this.#owner, now, mostLanes - this.#lanes.size)
    const rows = [...mine, ...taken]
    if (rows.length === 0) return
    const tools = { ...this.#tools, sender: await this.#sender() }
    for (const row of rows) this.#laneOf(row, tools).poke()
  }

  #laneOf(row: LaneRow, tools: LaneTools): Lane {
    const lane = this.#lanes.get(row.webhook_id) ?? new Lane(row, tools)
    this.#lanes.set(row.webhook_id, lane)
    return lane
  }

  /** Releases idle lanes, renews the others, and ends those that another process has taken over. */
  async #renew(): Promise<void> {
    const { db } = this.#context
    const idle = [...this.#lanes.values()].filter(lane => lane.idleTime > longestIdle).map(({ row }) => row)
    await releaseLanes(db, this.#owner, idle)
    const kept = new Set((await renewLanes(db, this.#owner)).map(({ webhook_id }) => webhook_id))
    for (const [id, lane] of this.#lanes) if (!kept.has(id)) this.#drop(id, lane)
  }

  #drop(id: string, lane: Lane): void {
    this.#lanes.delete(id)
    void lane.end()
  }

  /** Reloads a lane when its webhook is edited or deleted, so that nothing goes to the old URL. */
  async #listen(): Promise<void> {
    const listen = () =>
      this.#context.tail.listen(events => {
        for (const { event } of events) this.#lanes.get(changedWebhook(event) ?? '')?.reload()
      })
    let stop: (() => void) | undefined
    while (!this.#end.signal.aborted && !stop) {
      stop = await listen().catch(() => undefined)
      if (!stop) await pause(this.#context.timers, longestWait)
    }
    this.#stop = stop ?? this.#stop
  }

  /** Waits for running attempts and records their outcomes. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#loops)
    this.#stop()
    await Promise.all([...this.#lanes.values()].map(lane => lane.end()))
    await this.#tools.outcomes[Symbol.asyncDispose]()
    await releaseLanes(this.#context.db, this.#owner).catch(() => undefined)
    await (await this.#sender.made())?.connections[Symbol.asyncDispose]()
  }
}
