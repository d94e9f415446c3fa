import type { Chance } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { authenticateDevice } from '../../packages/server/src/devices/authenticate.ts'
import type { Command, Outcome } from '../../packages/server/src/devices/commands/commands.ts'
import { DeviceGateway } from '../../packages/server/src/devices/gateway/gateway.ts'
import { Alarm } from '../../packages/server/src/flow/alarm.ts'
import { createMetrics } from '../../packages/server/src/monitoring/metrics.ts'
import { frailPool, type Life } from './frail-pool.ts'
import type { Lane } from './lane.ts'
import type { FarEnd, Peer } from './network.ts'
import type { SimulatedTime } from './time.ts'

/** What the processes of the service share. */
export interface Surroundings {
  readonly lane: Lane
  readonly time: SimulatedTime
  readonly chance: Chance
  now(): string
  /** Wakes everything that waits for events, in every process. */
  wake(): void
  notify(channel: string, payload: string): void
  noticed(text: string, params: readonly unknown[]): void
}

export type Ending = 'power' | 'process' | 'terminated'

const quiet = pino({ level: 'silent' })

/** One life of a service process: the real gateway, with an injected database, network and time. */
export class ServiceProcess implements Life {
  readonly #surroundings: Surroundings
  readonly #chance: Chance
  readonly #gateway: DeviceGateway
  readonly #alarm = new Alarm()
  readonly #mail = new Map<string, (payload: string) => void>()
  readonly #wires = new Set<FarEnd>()
  readonly #onEnd: () => void
  readonly #pool: ReturnType<typeof frailPool>
  /** The probability of a crash at each await. */
  frailty = 0
  /** The maximum latency of the database, in milliseconds. */
  slowness = 5
  isOver = false
  isReady = false
  readyAt = 0

  constructor(surroundings: Surroundings, onEnd: () => void) {
    this.#surroundings = surroundings
    this.#chance = surroundings.chance.fork()
    this.#onEnd = onEnd
    const { lane, now, time } = surroundings
    this.#pool = frailPool(lane.db, this)
    const context = {
      config: lane.config,
      vault: lane.vault,
      db: this.#pool,
      clock: { now },
      timers: {
        elapsed: () => time.now / 1000,
        later: (milliseconds: number, run: () => void) =>
          time.later(milliseconds, () => void (this.isOver || run())),
      },
      log: quiet,
      feed: { woken: () => this.#alarm.next() },
      metrics: createMetrics(),
      disk: { is_exhausted: () => false },
      traffic: { isBusy: () => this.#chance.happens(0.5) },
      recovery: { is_on: false, over: () => Promise.resolve() },
      virtual: { run: async () => 'done' as const },
      zones: lane.zones,
    }
    // Infrequent, because every poll queries the real database, and most of a simulated night is idle.
    this.#gateway = new DeviceGateway(context, { sweep: 12_000, poll: 30_000 })
    void this.#gateway.start().then(() => {
      this.isReady = true
      this.readyAt = time.now
    })
  }

  /** Returns undefined if the secret is wrong. Never resolves if the process dies meanwhile. */
  async connect(hardwareId: string, secret: string, far: FarEnd): Promise<Peer | undefined> {
    this.#wires.add(far)
    const identity = await authenticateDevice(this.#pool, hardwareId, secret)
    if (!identity) return undefined
    const link = {
      send: far.send,
      sendAndWait: (frame: string) => this.#sendAndWait(far, frame),
      pause: () => {},
      resume: () => {},
      close: far.close,
    }
    const connection = this.#gateway.accept(muted(link, this), identity, hardwareId)
    const isThere = () => !this.isOver
    return {
      get isThere() {
        return isThere()
      },
      receive: text => void (this.isOver || connection.receive(text)),
      closed: () => void (this.isOver || connection.closed()),
    }
  }

  run(command: Command): Promise<Outcome> {
    return this.#gateway.run(command)
  }

  committed(): void {
    this.#surroundings.wake()
  }

  wake(): void {
    if (!this.isOver) this.#alarm.ring()
  }

  deliver(channel: string, payload: string): void {
    if (!this.isOver) this.#mail.get(channel)?.(payload)
  }

  /** After a power loss, connections stay open unnoticed. After a process dies, its machine closes them. */
  end(ending: Ending): void {
    if (this.isOver) return
    if (ending === 'terminated') {
      this.isReady = false
      void this.#gateway.stop().then(() => this.end('process'))
      return
    }
    this.isOver = true
    this.isReady = false
    if (ending === 'process') for (const wire of this.#wires) wire.close(1006)
    this.#onEnd()
  }

  crashes(): boolean {
    if (this.isOver) return true
    if (!this.#chance.happens(this.frailty)) return false
    this.end(this.#chance.pick(['power', 'process']))
    return true
  }

  latency(): number {
    return this.#chance.between(0.2, this.slowness)
  }

  later(milliseconds: number, run: () => void): void {
    this.#surroundings.time.later(milliseconds, () => void (this.isOver || run()))
  }

  outside<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#surroundings.time.outside(work)
  }

  now(): string {
    return this.#surroundings.now()
  }

  listen(channel: string, receive: (payload: string) => void): void {
    this.#mail.set(channel, receive)
  }

  notify(channel: string, payload: string): void {
    this.#surroundings.notify(channel, payload)
  }

  noticed(text: string, params: readonly unknown[]): void {
    this.#surroundings.noticed(text, params)
  }

  #sendAndWait(far: FarEnd, frame: string): Promise<boolean> {
    far.send(frame)
    return new Promise(resolve => this.later(this.#chance.between(0, 20), () => resolve(true)))
  }
}

/** Mutes a process whose life is over, whatever its pending promises still do. */
function muted<Wire extends { send(frame: string): void; close(code: number, reason: string): void }>(
  wire: Wire,
  life: Pick<Life, 'isOver'>,
): Wire {
  return {
    ...wire,
    send: (frame: string) => void (life.isOver || wire.send(frame)),
    close: (code: number, reason: string) => void (life.isOver || wire.close(code, reason)),
  }
}
