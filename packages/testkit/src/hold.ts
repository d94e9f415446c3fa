import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '@gatehouse/server'

export interface Hold {
  /** Until somebody waits for it. */
  waitedFor(): Promise<void>
  release(): Promise<void>
}

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Holds a member, so that every request that touches it waits until it is released. */
export async function holdMember(db: Pool, id: string): Promise<Hold> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = db.transaction(async inner => {
    await inner.query('SELECT 1 FROM members WHERE id = $1 FOR UPDATE', [id])
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return {
    async waitedFor() {
      while ((await db.query(waiting)).length === 0) await sleep(10)
    },
    release() {
      released.resolve()
      return ended
    },
  }
}
