import { toMicroseconds } from '@gatehouse/core'
import type { Platform } from '@gatehouse/edge/controller'

/**
 * A machine that exists for one request. Waiting costs nothing there: whoever asks to be called later is called at once, and
 * the clock has moved on by as much. So slow hardware is slow without anybody waiting for it.
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
