import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '@gatehouse-access/server'

export interface Hold {
  /** Waits until a request blocks on the lock. */
  waitedFor(): Promise<void>
  release(): Promise<void>
}

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Locks a member, so that every request that touches it waits until the release. */
export async function holdMember(db: Pool, id: string): Promise<Hold> {
  const release = await hold(db, 'SELECT 1 FROM members WHERE id = $1 FOR UPDATE', [id])
  return {
    async waitedFor() {
      while ((await db.query(waiting)).length === 0) await sleep(10)
    },
    release,
  }
}

/** Locks the tables, so that nothing reads them until the release, however fast the machine is. */
export function holdTables(db: Pool, tables: string): Promise<() => Promise<void>> {
  return hold(db, `LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
}

/** Keeps a transaction open after a statement that takes locks. Returns a function that ends it. */
async function hold(db: Pool, statement: string, params: unknown[] = []): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = db.transaction(async inner => {
    await inner.query(statement, params)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return () => {
    released.resolve()
    return ended
  }
}
