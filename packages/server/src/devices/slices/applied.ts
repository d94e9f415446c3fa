import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import { pause, type Timers } from '../../flow/timers.ts'
import { storeApplied, type Version, type VersionOfDevice } from '../policy/versions.ts'
import { type LiveSlice, ofDevice } from './live-slice.ts'

/** Milliseconds. */
const gap = 40
const retryGap = 1000
/** What one statement stores, and the milliseconds until the next: thousands of devices may leave at once. */
const atOnce = 100
const restGap = 5

interface AppliedContext {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly timers: Timers
}

/** Stores versions that devices confirmed, in batches: one change may bring thousands of confirmations. */
export class AppliedVersions implements AsyncDisposable {
  #context: AppliedContext
  #waiting = new Map<LiveSlice, VersionOfDevice>()
  #turns = new SerialQueue()
  #isPlanned = false
  #isClosed = false

  constructor(context: AppliedContext) {
    this.#context = context
  }

  add(slice: LiveSlice, version: Version): void {
    this.#waiting.set(slice, ofDevice(slice, version, this.#context.clock.now()))
    this.#plan(gap)
  }

  #plan(milliseconds: number): void {
    if (this.#isPlanned || this.#isClosed) return
    this.#isPlanned = true
    this.#context.timers.later(milliseconds, () => {
      this.#isPlanned = false
      void this.flush()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  /** Serialized: of two concurrent writes the older version might be stored last. */
  flush(): Promise<void> {
    return this.#turns.run(() => this.#store())
  }

  async #store(): Promise<void> {
    const taken = [...this.#waiting]
    this.#waiting = new Map()
    for (let start = 0; start < taken.length; start += atOnce) {
      if (start > 0 && !this.#isClosed) await pause(this.#context.timers, restGap)
      await this.#storeSome(taken.slice(start, start + atOnce))
    }
  }

  async #storeSome(some: readonly [LiveSlice, VersionOfDevice][]): Promise<void> {
    const versions = some.map(([, version]) => version)
    await storeApplied(this.#context.db, versions).catch(error => {
      this.#context.log.warn({ err: error }, 'confirmed versions are stored later')
      for (const [slice, version] of some) if (!this.#waiting.has(slice)) this.#waiting.set(slice, version)
      this.#plan(retryGap)
    })
  }
}
