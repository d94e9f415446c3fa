import { type Platform, sleep } from '../platform.ts'
import type { Driven, Driver, Order, PowerStatus } from './driver.ts'

/** The faults that simulated hardware can have. */
export const hardwareFaults = ['stuck_door', 'no_power', 'slow'] as const
export type HardwareFault = (typeof hardwareFaults)[number]

/** The delay of slow hardware in milliseconds. Longer than any command may take. */
export const slowness = 15_000

/** Simulated doors. Every action succeeds unless a fault is set. */
export class SimulatedDriver implements Driver {
  readonly #platform: Platform
  fault: HardwareFault | undefined
  /** All completed orders, in order. */
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
