import type { Logger } from 'pino'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { SerialQueue } from '../../flow/serial-queue.ts'
import type { Timers } from '../../flow/timers.ts'
import { storeApplied, type Version, type VersionOfDevice } from '../policy/versions.ts'
import { type LiveSlice, ofDevice } from './live-slice.ts'

/** Milliseconds. */
const gap = 25
const retryGap = 1000

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
    if (this.#waiting.size === 0) return
    const taken = this.#waiting
    this.#waiting = new Map()
    await storeApplied(this.#context.db, [...taken.values()]).catch(error => {
      this.#context.log.warn({ err: error }, 'confirmed versions are stored later')
      for (const [slice, version] of taken) if (!this.#waiting.has(slice)) this.#waiting.set(slice, version)
      this.#plan(retryGap)
    })
  }
}
