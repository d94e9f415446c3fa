import { type Platform, sleep } from '../platform.ts'
import type { Driven, Driver, Order, PowerStatus } from './driver.ts'

/** What can be wrong with simulated hardware. */
export const hardwareFaults = ['stuck_door', 'no_power', 'slow'] as const
export type HardwareFault = (typeof hardwareFaults)[number]

/** Milliseconds that slow hardware takes: longer than any command may. */
export const slowness = 15_000

/** Doors that are not there. They always open, unless they were given a fault. */
export class SimulatedDriver implements Driver {
  readonly #platform: Platform
  fault: HardwareFault | undefined
  /** Everything that was done, in order. */
  readonly done: Order[] = []

  constructor(platform: Platform, fault?: HardwareFault) {
    this.#platform = platform
    this.fault = fault
  }

  async run(order: Order): Promise<Driven> {
    if (this.fault === 'stuck_door' || this.fault === 'no_power')
      return { outcome: 'failed', reason: this.fault }
    if (this.fault === 'slow') await sleep(this.#platform, slowness)
    if (this.#platform.monotonic() >= order.before) return { outcome: 'failed', reason: 'late' }
    this.done.push(order)
    return { outcome: 'done' }
  }

  power(): PowerStatus {
    return { mains_present: this.fault !== 'no_power', battery_present: false }
  }
}
