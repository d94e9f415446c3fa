import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds: more than any of it takes on a machine that is not busy. */
const duration = 250

/** Waits for work, and in any case as long as it takes at the most: so the time tells nothing of what was done. */
export async function inConstantTime<T>(work: Promise<T>): Promise<T> {
  const [done] = await Promise.all([work, sleep(duration)])
  return done
}
