import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../store/db.ts'
import { type LiveSlice, ofDevice } from './live-slice.ts'
import { storeApplied, type Version } from './versions.ts'

/** Milliseconds. */
const gap = 25

/** Versions that devices confirmed. They come by the thousand after one change, so they are stored together. */
export class AppliedVersions {
  #context: { db: Database; clock: Clock; log: Logger }
  #waiting = new Map<LiveSlice, Version>()

  constructor(context: { db: Database; clock: Clock; log: Logger }) {
    this.#context = context
  }

  add(slice: LiveSlice, version: Version): void {
    this.#waiting.set(slice, version)
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(gap, undefined, { signal, ref: false }).catch(() => undefined)
      await this.flush()
      if (signal.aborted) return
    }
  }

  async flush(): Promise<void> {
    if (this.#waiting.size === 0) return
    const taken = this.#waiting
    this.#waiting = new Map()
    const at = this.#context.clock.now()
    const rows = [...taken].map(([slice, version]) => ofDevice(slice, version, at))
    await storeApplied(this.#context.db, rows).catch(error => {
      this.#context.log.warn({ err: error }, 'confirmed versions are stored later')
      for (const [slice, version] of taken) if (!this.#waiting.has(slice)) this.#waiting.set(slice, version)
    })
  }
}
