import { Slots } from '../../flow/slots.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'

/** Events per second of all devices here while requests arrive. A full journal then takes 58 s. */
const pace = 3450
/** Batches up to this size are current events and not paced. The message rate limit bounds them. */
const smallUpload = 20
/** Milliseconds between two checks of a waiting batch for whether requests still arrive. */
const checkGap = 20

interface UploadsContext {
  readonly timers: Timers
  readonly traffic: Pick<Traffic, 'isBusy'>
}

/**
 * Admits journal batches, one at a time per organization and in turn, so that a blocked device delays only
 * its own organization. A controller that was offline for weeks can wait, users cannot: while requests
 * arrive, large batches are paced. A device that waits for its acknowledgement sends nothing more. Small
 * batches are not paced.
 */
export class Uploads {
  readonly #context: UploadsContext
  readonly #accepting = new Slots(2, 1)
  readonly #buffered = new Slots(1, 1)
  #dueAt = 0

  constructor(context: UploadsContext) {
    this.#context = context
  }

  pass<T>(organizationId: string, events: number, accept: () => Promise<T>): Promise<T> {
    const store = () => this.#accepting.pass(organizationId, accept)
    if (events <= smallUpload) return store()
    return this.#buffered.pass(organizationId, async () => {
      await this.#keepPace(events)
      return store()
    })
  }

  async #keepPace(events: number): Promise<void> {
    const { timers, traffic } = this.#context
    for (let wait = this.#wait(); wait > 0 && traffic.isBusy(); wait = this.#wait())
      await new Promise<void>(resolve => timers.later(Math.min(checkGap, wait), resolve))
    this.#dueAt = timers.elapsed() + (events / pace) * 1000
  }

  #wait(): number {
    return this.#dueAt - this.#context.timers.elapsed()
  }
}
