import { toMicroseconds } from '@gatehouse-access/core'
import type { Platform } from '@gatehouse-access/edge/controller'

/** Virtual devices never boot: their time is that of the service. */
export const virtualBoot = 'virtual'

/**
 * A platform that exists for one request. Timers fire at once and advance the clock by their delay, so slow
 * hardware appears slow without any real waiting. The monotonic clock goes on from one request to the next.
 */
export function virtualPlatform(now: string, wrongBy = 0): Platform {
  let monotonic = toMicroseconds(now)
  const started = monotonic
  return {
    boot_id: virtualBoot,
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
