import { deviceLimits } from '@gatehouse/api/device-protocol/limits'
import type { Platform } from './platform.ts'

/** An instant by the device's best knowledge of the service's time, right within ± doubt (microseconds). */
export interface Moment {
  readonly time: number
  readonly doubt: number
  /** False from a cold start until the first measurement: access that depends on the time is then denied. */
  readonly is_sure: boolean
}

/** What was known of the time at one moment of the monotonic clock; stored, it outlives the process. */
export interface Anchor {
  readonly time: number
  readonly monotonic: number
  readonly doubt: number
  readonly boot_id: string
}

const drift = 200e-6

/**
 * The service's time, measured against the monotonic clock (docs/device-protocol.md, "Clock"). A stored anchor of the same
 * start of the machine is as good as a measurement: a process that was killed knows the time. After a cold start there is
 * only the machine's own clock, which is not believed but never taken for earlier than the last stored minute.
 */
export class EdgeClock {
  readonly #platform: Platform
  readonly #floor: number
  readonly #started: number
  #anchor: Anchor | undefined

  constructor(platform: Platform, stored: Anchor | undefined) {
    this.#platform = platform
    this.#started = platform.monotonic()
    this.#floor = stored?.time ?? 0
    this.#anchor = stored?.boot_id === platform.boot_id ? stored : undefined
  }

  now(): Moment {
    const monotonic = this.#platform.monotonic()
    const anchor = this.#anchor
    if (anchor)
      return {
        time: Math.round(anchor.time + monotonic - anchor.monotonic),
        doubt: doubtAt(anchor, monotonic),
        is_sure: true,
      }
    const elapsed = monotonic - this.#started
    const time = Math.round(Math.max(this.#platform.wall(), this.#floor + elapsed))
    return { time, doubt: Number.POSITIVE_INFINITY, is_sure: false }
  }

  /** t0 and t3 by the monotonic clock, t1 and t2 by the service's. */
  measure(t0: number, t1: number, t2: number, t3: number): void {
    const offset = (t1 - t0 + (t2 - t3)) / 2
    const doubt = Math.max((t3 - t0 - (t2 - t1)) / 2, 0)
    const fresh = { time: t3 + offset, monotonic: t3, doubt, boot_id: this.#platform.boot_id }
    if (!this.#anchor || isBetter(fresh, this.#anchor)) this.#anchor = fresh
  }

  /** To be stored; undefined while nothing worth storing is known. */
  anchor(): Anchor | undefined {
    if (!this.#anchor) return undefined
    const { time, doubt } = this.now()
    return { time, doubt, monotonic: this.#platform.monotonic(), boot_id: this.#platform.boot_id }
  }

  canJudgeDeadlines(): boolean {
    return this.now().doubt <= deviceLimits.clock * 1e6
  }

  /** The doubt counts against it: what could be late is treated as late. */
  isPast(deadline: number): boolean {
    const { time, doubt } = this.now()
    return time + doubt >= deadline
  }
}

/** The one with less doubt counts. If they contradict each other, the service's clock was set, and the newer one counts. */
function isBetter(fresh: Anchor, known: Anchor): boolean {
  const doubt = doubtAt(known, fresh.monotonic)
  const difference = Math.abs(fresh.time - (known.time + fresh.monotonic - known.monotonic))
  return fresh.doubt <= doubt || difference > fresh.doubt + doubt
}

function doubtAt(anchor: Anchor, monotonic: number): number {
  return anchor.doubt + (monotonic - anchor.monotonic) * drift
}
