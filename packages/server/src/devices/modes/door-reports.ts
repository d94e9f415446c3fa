import type { FromDevice } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import type { Timers } from '../../flow/timers.ts'
import { type DoorReport, storeDoorModes } from './store-door-modes.ts'

/** Milliseconds. */
const gap = 20
const retryGap = 1000

interface ReportsContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly timers: Timers
}

type Reporter = Pick<DoorReport, 'organization_id' | 'device_id' | 'connection_id'>

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
    const at = this.#context.clock.now()
    const { organization_id, device_id, connection_id } = reporter
    for (const { emergency_ids = [], ...door } of doors)
      this.#waiting.set(`${device_id} ${door.gadget_id}`, {
        organization_id,
        device_id,
        connection_id,
        version,
        ...door,
        emergency_ids,
        at,
      })
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
    if (this.#waiting.size === 0) return
    const taken = this.#waiting
    this.#waiting = new Map()
    await storeDoorModes(this.#context.db, [...taken.values()]).catch(error => {
      this.#context.log.warn({ err: error }, 'reports of doors are stored later')
      for (const [key, report] of taken) if (!this.#waiting.has(key)) this.#waiting.set(key, report)
      this.#plan(retryGap)
    })
  }
}
