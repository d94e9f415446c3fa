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

/** Ends early when the signal aborts, or when `sooner` is fulfilled. */
export function pause(
  timers: Timers,
  milliseconds: number,
  signal: AbortSignal,
  sooner?: Promise<void>,
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.later(milliseconds, end)
    signal.addEventListener('abort', end, { once: true })
    void sooner?.then(end)
  })
}
