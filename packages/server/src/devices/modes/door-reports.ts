import type { FromDevice } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import type { Timers } from '../../flow/timers.ts'
import { type DoorReport, type DoorReporter, storeDoorModes } from './store-door-modes.ts'

/** Milliseconds. */
const gap = 40
const retryGap = 1000
/** Doors that one statement stores: some milliseconds of the event loop. */
const atOnce = 1000

interface ReportsContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly timers: Timers
}

type Reporter = Pick<DoorReporter, 'organization_id' | 'device_id' | 'connection_id'>

/** Stores what devices report of their doors, in batches: a lockdown brings thousands of reports at once. */
export class DoorReports implements AsyncDisposable {
  readonly #context: ReportsContext
  /** By device and gadget: of two reports the later counts. */
  #waiting = new Map<string, DoorReport>()
  readonly #turns = new SerialQueue()
  #isPlanned = false
  #isClosed = false

  constructor(context: ReportsContext) {
    this.#context = context
  }

  add(reporter: Reporter, { version, doors }: Pick<FromDevice<'doors'>, 'version' | 'doors'>): void {
    const { organization_id, device_id, connection_id } = reporter
    const by = { organization_id, device_id, connection_id, version, at: this.#context.clock.now() }
    for (const door of doors) this.#waiting.set(`${device_id} ${door.gadget_id}`, { by, door })
    this.#plan(gap)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#flush()
  }

  #plan(milliseconds: number): void {
    if (this.#isPlanned || this.#isClosed) return
    this.#isPlanned = true
    this.#context.timers.later(milliseconds, () => {
      this.#isPlanned = false
      void this.#flush()
    })
  }

  /** Serialized: of two concurrent writes the older report might be stored last. */
  #flush(): Promise<void> {
    return this.#turns.run(() => this.#store())
  }

  async #store(): Promise<void> {
    const taken = [...this.#waiting]
    this.#waiting = new Map()
    for (let start = 0; start < taken.length; start += atOnce)
      await this.#storeSome(taken.slice(start, start + atOnce))
  }

  async #storeSome(some: readonly [key: string, report: DoorReport][]): Promise<void> {
    const reports = some.map(([, report]) => report)
    await storeDoorModes(this.#context.db, reports).catch(error => {
      this.#context.log.warn({ err: error }, 'reports of doors are stored later')
      for (const [key, report] of some) if (!this.#waiting.has(key)) this.#waiting.set(key, report)
      this.#plan(retryGap)
    })
  }
}
