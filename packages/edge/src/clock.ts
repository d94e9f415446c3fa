import { deviceLimits } from '@gatehouse-access/api/device-protocol/limits'
import type { Platform } from './platform.ts'

/** An instant by the device's best estimate of the service's time, accurate to ± doubt (microseconds). */
export interface Moment {
  readonly time: number
  readonly doubt: number
  /** False from a cold start until the first measurement. Time-bound access is denied until then. */
  readonly is_sure: boolean
}

/** The known time at one reading of the monotonic clock. It is stored, so that it survives the process. */
export interface Anchor {
  readonly time: number
  readonly monotonic: number
  readonly doubt: number
  readonly boot_id: string
}

const drift = 200e-6

/**
 * The service's time, measured against the monotonic clock (docs/device-protocol.md, "Clock"). A stored
 * anchor from the same boot of the machine is as good as a measurement, so a process that was killed still
 * knows the time. After a cold start there is only the machine's own clock. It is not trusted, but it never
 * counts as earlier than the last stored time.
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

  /** t0 and t3 are readings of the monotonic clock, t1 and t2 of the service's clock. */
  measure(t0: number, t1: number, t2: number, t3: number): void {
    const offset = (t1 - t0 + (t2 - t3)) / 2
    const doubt = Math.max((t3 - t0 - (t2 - t1)) / 2, 0)
    const fresh = { time: t3 + offset, monotonic: t3, doubt, boot_id: this.#platform.boot_id }
    if (!this.#anchor || isBetter(fresh, this.#anchor)) this.#anchor = fresh
  }

  /** Returns the anchor to store; undefined while nothing is known. */
  anchor(): Anchor | undefined {
    if (!this.#anchor) return undefined
    const { time, doubt } = this.now()
    return { time, doubt, monotonic: this.#platform.monotonic(), boot_id: this.#platform.boot_id }
  }

  canJudgeDeadlines(): boolean {
    return this.now().doubt <= deviceLimits.clock * 1e6
  }

  /** Adds the doubt to the time: a deadline that may have passed counts as passed. */
  isPast(deadline: number): boolean {
    const { time, doubt } = this.now()
    return time + doubt >= deadline
  }
}

/**
 * The anchor with less doubt wins. If the two contradict each other, the service's clock was set, and the
 * newer anchor wins.
 */
function isBetter(fresh: Anchor, known: Anchor): boolean {
  const doubt = doubtAt(known, fresh.monotonic)
  const difference = Math.abs(fresh.time - (known.time + fresh.monotonic - known.monotonic))
  return fresh.doubt <= doubt || difference > fresh.doubt + doubt
}

function doubtAt(anchor: Anchor, monotonic: number): number {
  return anchor.doubt + (monotonic - anchor.monotonic) * drift
}
