import type { JournalEvent } from '@gatehouse-access/api'
import {
  Agent,
  type Change,
  type Driver,
  MemoryDisk,
  type Order,
  openMemoryStorage,
  type Platform,
  silentLog,
} from '@gatehouse-access/edge'
import type { Chance } from '@gatehouse-access/testkit'
import type { Network } from './network.ts'
import type { Door } from './organization.ts'
import type { SimulatedTime } from './time.ts'

/** One life of the edge: from a start to the next crash. */
interface Life {
  readonly agent: Agent
  isOver: boolean
}

/**
 * An edge that can lose power at every await. Its disk keeps completed writes; a write in progress is stored
 * either completely or not at all. Pending work of an earlier life has no effect.
 */
export class SimulatedEdge {
  readonly door: Door
  readonly disk: MemoryDisk
  /** Every event that was ever on the disk, in order. The service must have all of them in the end. */
  readonly written: JournalEvent[] = []
  /** Every version that was ever on the disk. */
  readonly versions = new Set<string>()
  /** The outcomes of commands that were stored on the disk. */
  readonly outcomes = new Map<string, string>()
  readonly driven: (Order & { readonly at: number })[] = []
  /** What the hardware was asked to do, be it that a crash came before it did. */
  readonly asked: Order[] = []
  /** Whether the hardware does what it says. A lock that lies is the control of the checks. */
  isHonest = true
  /** The probability of a crash at each await. */
  frailty = 0
  crashes = 0
  readonly network: Network
  readonly #time: SimulatedTime
  readonly #chance: Chance
  #boots = 0
  #bootedAt = 0
  #drift: number
  #life: Life

  constructor(door: Door, time: SimulatedTime, chance: Chance, network: Network) {
    this.door = door
    this.network = network
    this.#time = time
    this.#chance = chance
    this.#drift = 1 + chance.between(-100, 100) * 1e-6
    this.disk = new MemoryDisk(`journal-${door.hardware_id}`)
    this.#life = this.#start('power')
  }

  get agent(): Agent {
    return this.#life.agent
  }

  get isAlive(): boolean {
    return !this.#life.isOver
  }

  /**
   * Crashes the edge, which restarts after a while. A killed process keeps the machine's clock; a power loss
   * resets it.
   */
  crash(kind: 'power' | 'process'): void {
    if (this.#life.isOver) return
    this.crashes++
    this.#life.isOver = true
    this.#time.later(this.#chance.between(100, this.#chance.pick([1000, 20_000])), () => {
      this.#life = this.#start(kind)
    })
  }

  #start(kind: 'power' | 'process'): Life {
    if (kind === 'power') {
      this.#boots++
      this.#bootedAt = this.#time.now
    }
    const life: Life = { agent: undefined as never, isOver: false }
    const isAlive = () => !life.isOver
    const agent = new Agent({
      platform: this.#platform(isAlive),
      log: silentLog,
      driver: this.#driver(isAlive),
      connect: this.network.connector(isAlive),
      devices: [{ hardware_id: this.door.hardware_id, storage: this.#storage(isAlive) }],
    })
    agent.start()
    return Object.assign(life, { agent })
  }

  #platform(isAlive: () => boolean): Platform {
    return {
      boot_id: `boot-${this.#boots}`,
      monotonic: () => Math.round((this.#time.now - this.#bootedAt) * this.#drift),
      // After a power loss, the machine's clock starts at its build date.
      wall: () => 1_500_000_000e6 + this.#time.now - this.#bootedAt,
      random: () => this.#chance.next(),
      later: (milliseconds, run) => this.#time.later(milliseconds, () => void (isAlive() && run())),
    }
  }

  #storage(isAlive: () => boolean) {
    const storage = openMemoryStorage(this.disk)
    return {
      ...storage,
      write: (changes: readonly Change[]) =>
        this.#await(isAlive, 1, 40, () => {
          this.disk.write(changes)
          for (const change of changes) this.#note(change)
        }),
      readJournal: (after: number, limit: number) =>
        this.#await(isAlive, 1, 10, () => storage.readJournal(after, limit)).then(events => events),
    }
  }

  #note(change: Change): void {
    if (change.type === 'event') this.written.push(change.event)
    if (change.type === 'adopt' || change.type === 'apply')
      this.versions.add(`${change.policy.version} ${change.policy.hash}`)
    if (change.type === 'command') this.#noteOutcome(change.command)
  }

  /** A command that is repeated after its id was forgotten is late, which changes nothing of what was done. */
  #noteOutcome({ id, outcome }: Extract<Change, { type: 'command' }>['command']): void {
    if (outcome !== null && this.outcomes.get(id) !== 'done') this.outcomes.set(id, outcome)
  }

  #driver(isAlive: () => boolean): Driver {
    return {
      run: order => {
        this.asked.push(order)
        return this.#await(isAlive, 1, 300, () => {
          if (this.isHonest || order.action_id !== 'secure')
            this.driven.push({ ...order, at: this.#time.now })
          return { outcome: 'done' } as const
        })
      },
      power: () => ({ mains_present: true }),
    }
  }

  /** Runs something that takes time, with a chance of a crash before and after it. */
  #await<Value>(
    isAlive: () => boolean,
    low: number,
    high: number,
    act: () => Value,
  ): Promise<Awaited<Value>> {
    return new Promise(resolve => {
      this.#time.later(this.#chance.between(low, high), async () => {
        if (!isAlive()) return
        if (this.#chance.happens(this.frailty)) return this.crash(this.#chance.pick(['power', 'process']))
        const value = await act()
        if (this.#chance.happens(this.frailty)) return this.crash(this.#chance.pick(['power', 'process']))
        if (isAlive()) resolve(value)
      })
    })
  }
}
