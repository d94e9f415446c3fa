import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds. Longer than any of the work takes on an idle machine. */
const duration = 250

/** Waits for the work and at least `duration`, so that the response time does not reveal what was done. */
export async function inConstantTime<T>(work: Promise<T>): Promise<T> {
  const [done] = await Promise.all([work, sleep(duration)])
  return done
}
