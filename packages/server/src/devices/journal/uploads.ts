import { Slots } from '../../flow/slots.ts'
import type { Timers } from '../../flow/timers.ts'
import type { Traffic } from '../../flow/traffic.ts'

/** Events a second, all devices of this process together, while it is being asked: a full journal takes 58 s. */
const pace = 3450
/** Batches up to this size tell of what happens now. With the limit of messages a second they cannot outrun it by much. */
const smallUpload = 20
/** Milliseconds after which one that waits looks whether anybody still asks. */
const checkGap = 20

interface UploadsContext {
  readonly timers: Timers
  readonly traffic: Pick<Traffic, 'isBusy'>
}

/**
 * Lets batches of journals in, by organization in turn: one at a time of each, so that a device that is held up holds up its own. A controller that was offline for weeks has time, people in front of a
 * screen have not: while requests come, large batches keep a pace that leaves the process to them, and what waits for
 * its acknowledgement sends nothing more. Small batches pass by.
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
