import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Life } from '../events/life.ts'
import type { Clock } from '../flow/clock.ts'
import { pause, type Timers } from '../flow/timers.ts'
import { isLocked } from '../store/migration/living-processes.ts'

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly life: Pick<Life, 'owner'>
}

/** Seconds that devices have to come back after the service was away. */
export const grace = 120
const beatGap = 1000

/**
 * Knows since when it means something that a device is not connected. While no process watched, because none ran or
 * because the database was away, devices could not connect: what they did before says nothing, and they are given
 * time to come back. So a restart of the service raises no alarm.
 *
 * Every process notes in the database that it watches. A gap in that is an absence of all of them, whatever the
 * reason, measured by the clock of the database. It is shorter than the lease of a process (20 s), before whose
 * end no connection counts as lost.
 */
export class PresenceWatch implements AsyncDisposable {
  readonly #needs: Needs
  readonly #end = new AbortController()
  readonly #running: Promise<void>
  #hasBegun = false

  constructor(needs: Needs) {
    this.#needs = needs
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      // A beat that cannot be stored is a gap, which the next one finds.
      await this.#beat().catch(() => undefined)
      await pause(this.#needs.timers, beatGap, signal)
    }
  }

  async #beat(): Promise<void> {
    const { db, clock, life } = this.#needs
    const isAlone = !this.#hasBegun && (await isOnly(db, life.owner))
    await beat(db, addSeconds(clock.now(), grace), isAlone)
    this.#hasBegun = true
  }
}

async function beat(db: Database, countsFrom: string, isAlone: boolean): Promise<void> {
  await db.query(
    `INSERT INTO presence_watch AS w (watched_at, counts_from) VALUES (clock_timestamp(), $1)
     ON CONFLICT (id) DO UPDATE SET watched_at = excluded.watched_at, counts_from = CASE
       WHEN $2::boolean OR w.watched_at < excluded.watched_at - interval '15 seconds' THEN excluded.counts_from ELSE w.counts_from END`,
    [countsFrom, isAlone],
  )
}

/** Whether no other process lives: then nobody held the devices until now. */
async function isOnly(db: Database, owner: string): Promise<boolean> {
  const others = await db.query(
    `SELECT 1 FROM living_processes p WHERE owner <> $1 AND ${isLocked('p.number')} LIMIT 1`,
    [owner],
  )
  return others.length === 0
}

/** Since when devices that are not connected count as offline. */
export async function findCountsFrom(db: Database): Promise<string> {
  const [row] = await db.query<{ counts_from: string }>('SELECT counts_from FROM presence_watch')
  return row?.counts_from ?? ''
}
