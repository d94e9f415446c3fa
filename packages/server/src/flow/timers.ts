import type { Ring } from './alarm.ts'

/** The source of timers, as `Clock` is for the time: a simulation decides when they fire. */
export interface Timers {
  /** Monotonic milliseconds, unaffected by changes of the system clock. */
  elapsed(): number
  /** Runs a function later. Returns a function that cancels it. */
  later(milliseconds: number, run: () => void): () => void
}

/** These timers do not keep the process alive. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

/** Runs a function repeatedly. Returns a function that stops it. */
export function every(timers: Timers, milliseconds: number, run: () => void): () => void {
  let cancel = () => {}
  const plan = () => {
    cancel = timers.later(milliseconds, () => {
      plan()
      run()
    })
  }
  plan()
  return () => cancel()
}

/** Waits. Ends early when the signal aborts, or when `sooner` rings. */
export function pause(
  timers: Timers,
  milliseconds: number,
  signal?: AbortSignal,
  sooner?: Ring,
): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise(resolve => {
    let leave: (() => void) | undefined
    const end = () => {
      cancel()
      leave?.()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.later(milliseconds, end)
    signal?.addEventListener('abort', end, { once: true })
    // If it has already rung, `end` runs here, before `leave` is set.
    leave = sooner?.on(end)
  })
}
