import { toMicroseconds } from '@gatehouse-access/core'
import type { Platform } from '@gatehouse-access/edge/controller'

/**
 * A platform that exists for one request. Timers fire at once and advance the clock by their delay, so slow
 * hardware appears slow without any real waiting.
 */
export function virtualPlatform(now: string, wrongBy = 0): Platform {
  let monotonic = 1_000_000
  const started = monotonic
  return {
    boot_id: 'virtual',
    monotonic: () => monotonic,
    wall: () => toMicroseconds(now) + wrongBy + monotonic - started,
    random: Math.random,
    later(milliseconds, run) {
      let isCancelled = false
      queueMicrotask(() => {
        if (isCancelled) return
        monotonic += milliseconds * 1000
        run()
      })
      return () => {
        isCancelled = true
      }
    },
  }
}
