import { setTimeout as sleep } from 'node:timers/promises'
import { Chance, seed } from '@gatehouse-access/testkit'

const chance = new Chance(seed)
/** Milliseconds: a transaction of most work, and some of the next one. */
const longest = 150
/** Jobs give way to whoever asks more often. */
const gap = 100

interface Work {
  readonly total: number
  /** Returns how much is done, or undefined once the work has ended. */
  progress(): Promise<number | undefined>
  /** Kills the process that does it, and starts another one. */
  kill(): Promise<void>
}

/**
 * Kills a process at random moments of its work, from the beginning to nearly the end. A process that has yet to take
 * over has nothing to lose, so each has gone on with the work before it is killed. Returns how many kills hit the
 * work, which are fewer than wanted if it ended before.
 */
export async function killAtWork(wanted: number, { total, progress, kill }: Work): Promise<number> {
  const stretch = total / (wanted + 2)
  let before = await progress()
  for (let hits = 0; hits < wanted; hits++) {
    const least = stretch * chance.between(hits, hits + 1)
    await until(progress, done => done === undefined || (done !== before && done >= least))
    await sleep(chance.between(0, longest))
    await kill()
    before = await progress()
    if (before === undefined) return hits
  }
  return wanted
}

async function until(
  progress: Work['progress'],
  holds: (done: number | undefined) => boolean,
): Promise<void> {
  while (!holds(await progress())) await sleep(gap)
}
