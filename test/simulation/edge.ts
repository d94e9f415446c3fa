import type { JournalEvent } from '@gatehouse/api'
import {
  Agent,
  type Change,
  type Connect,
  type Driver,
  MemoryDisk,
  type Order,
  openMemoryStorage,
  type Platform,
  silentLog,
} from '@gatehouse/edge'
import type { Chance } from './random.ts'

/** What an edge needs of time: simulated, or the real one. */
export interface Clockwork {
  readonly now: number
  later(milliseconds: number, run: () => void): () => void
}

/** The way to the service, for one life of an edge. */
export interface Way {
  connector(isAlive: () => boolean): Connect
}

/** One of its lives: from a start to the next crash. */
interface Life {
  readonly agent: Agent
  isOver: boolean
}

/**
 * An edge that can lose its power at every await. Its disk keeps what was written to the end; a write that was under way is
 * there wholly or not at all. Whatever an earlier life still meant to do reaches nothing any more.
 */
export class SimulatedEdge {
  readonly device: string
  readonly disk: MemoryDisk
  /** Everything that was ever on the disk, by number: what the service must have in the end. */
  readonly written = new Map<number, JournalEvent>()
  readonly driven: (Order & { readonly at: number })[] = []
  /** How likely an await is its last. */
  frailty = 0
  crashes = 0
  readonly #way: Way
  readonly #time: Clockwork
  readonly #chance: Chance
  #boots = 0
  #bootedAt = 0
  #drift: number
  #life: Life

  constructor(device: string, time: Clockwork, chance: Chance, way: Way) {
    this.device = device
    this.#way = way
    this.#time = time
    this.#chance = chance
    this.#drift = 1 + chance.between(-100, 100) * 1e-6
    this.disk = new MemoryDisk(`journal-${device}`)
    this.#life = this.#start('power')
  }

  get agent(): Agent {
    return this.#life.agent
  }

  get isAlive(): boolean {
    return !this.#life.isOver
  }

  /** It is back after a while. A process that was killed keeps the clock of its machine, one without power does not. */
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
      connect: this.#way.connector(isAlive),
      devices: [{ hardware_id: `hw_${this.device}`, storage: this.#storage(isAlive) }],
    })
    agent.start()
    return Object.assign(life, { agent })
  }

  #platform(isAlive: () => boolean): Platform {
    return {
      boot_id: `boot-${this.#boots}`,
      monotonic: () => Math.round((this.#time.now - this.#bootedAt) * this.#drift),
      // Without power the clock of the machine begins where it was built.
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
          for (const change of changes)
            if (change.type === 'event') this.written.set(change.event.sequence, change.event)
        }),
      readJournal: (after: number, limit: number) =>
        this.#await(isAlive, 1, 10, () => storage.readJournal(after, limit)).then(events => events),
    }
  }

  #driver(isAlive: () => boolean): Driver {
    return {
      run: order =>
        this.#await(isAlive, 1, 300, () => {
          this.driven.push({ ...order, at: this.#time.now })
          return { outcome: 'done' } as const
        }),
      power: () => ({ mains_present: true }),
    }
  }

  /** Something that takes time, with a chance to lose power before it and after it. */
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
