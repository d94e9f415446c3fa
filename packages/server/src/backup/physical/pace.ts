import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes a second that a backup reads, so that requests do not wait for the disk and the processors. */
export const usualPace = 64 * 1024 * 1024

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
