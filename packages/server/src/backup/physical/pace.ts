import { setTimeout as sleep } from 'node:timers/promises'

const megabyte = 1024 * 1024
/** Bytes a second that a drill in the service reads, so that requests do not wait for it: 10 GB in five minutes. */
export const usualPace = 36 * megabyte
/** Of a backup, in a process of its own that has the lowest priority: the disk is shared. */
export const fullPace = 52 * megabyte

/** Lets no more than so many bytes a second pass. */
export class Pacer {
  readonly #bytesPerSecond: number
  #free = performance.now()

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Waits until these bytes may pass. What was not used earlier is not saved up. */
  async take(bytes: number): Promise<void> {
    const now = performance.now()
    this.#free = Math.max(this.#free, now) + (bytes / this.#bytesPerSecond) * 1000
    if (this.#free - now > 20) await sleep(this.#free - now)
  }
}
