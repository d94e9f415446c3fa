import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Trouble } from '../../monitoring/trouble.ts'
import type { Postmaster } from './postmaster.ts'

export type Supervisor = { pid: () => number; stop: () => Promise<void> }

type Start = (signal: AbortSignal) => Promise<Postmaster>
type Log = Pick<Logger, 'info' | 'warn' | 'error'>

// The first start is retried: the last backends of a killed PostgreSQL may still hold the shared memory.
const first_attempts = 4

/** Starts PostgreSQL, and restarts it whenever it exits without having been stopped. */
export async function supervise(start: Start, log: Log): Promise<Supervisor> {
  const ending = new AbortController()
  let current = await startPatiently(start, first_attempts, ending.signal, log)
  const watching = watch().catch(error => {
    if (!ending.signal.aborted) log.error(error, 'PostgreSQL is no longer monitored')
  })

  async function watch() {
    while (!ending.signal.aborted) {
      const reason = await current.exited
      if (ending.signal.aborted) return
      log.error({ reason }, 'PostgreSQL ended unexpectedly; restarting it')
      current = await startPatiently(start, Infinity, ending.signal, log)
      log.info({ pid: current.pid }, 'PostgreSQL answers again')
    }
  }

  async function stop() {
    ending.abort()
    await current.stop()
    await watching
  }
  return { pid: () => current.pid, stop }
}

async function startPatiently(
  start: Start,
  attempts: number,
  signal: AbortSignal,
  log: Log,
): Promise<Postmaster> {
  const trouble = new Trouble(log, 'PostgreSQL did not start; trying again')
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(signal)
    } catch (error) {
      if (signal.aborted || attempt >= attempts) throw error
      trouble.met(error, { attempt })
      await setTimeout(Math.min(1000, 100 * 2 ** attempt), undefined, { signal })
    }
  }
}
