import type { Ring } from './alarm.ts'

/** Waiting as a service, as `Clock` is for the time: a simulation decides when what is due happens. */
export interface Timers {
  /** Milliseconds that only grow, whoever sets the clock. */
  elapsed(): number
  /** Runs something later; answers how to cancel it. */
  later(milliseconds: number, run: () => void): () => void
}

/** Nothing that waits here keeps the process alive. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

/** Runs something again and again; answers how to stop. */
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

/** Ends early when the signal aborts, or when `sooner` rings. */
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
    // It may have rung: then this is over before there is anything to leave.
    leave = sooner?.on(end)
  })
}
