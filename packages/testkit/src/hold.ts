import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '@gatehouse-access/server'

export interface Hold {
  /** Waits until a request blocks on the lock. */
  waitedFor(): Promise<void>
  release(): Promise<void>
}

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Locks members against changes, so that every request that changes one waits until the release. */
export async function holdMembers(db: Pool): Promise<Hold> {
  const release = await holdChanges(db, 'members')
  return {
    async waitedFor() {
      // Repeated elsewhere if it was sent right behind the request that waits.
      while ((await db.query(waiting, [], { may_repeat: true })).length === 0) await sleep(10)
    },
    release,
  }
}

/** Locks the tables, so that nothing reads them until the release, however fast the machine is. */
export function holdTables(db: Pool, tables: string): Promise<() => Promise<void>> {
  return hold(db, `LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
}

/** Locks the tables, so that nothing changes them until the release. Reads go on. */
export function holdChanges(db: Pool, tables: string): Promise<() => Promise<void>> {
  return hold(db, `LOCK TABLE ${tables} IN EXCLUSIVE MODE`)
}

/**
 * Keeps a transaction open after a statement that takes locks. Returns a function that ends it. Tables are
 * locked rather than rows: a row lock gives the transaction an id, and while that is open the event feeds of
 * all databases of the cluster wait, also those of other tests.
 */
async function hold(db: Pool, statement: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = db.transaction(async inner => {
    await inner.query(statement)
    held.resolve()
    await released.promise
  })
  await Promise.race([held.promise, ended])
  return () => {
    released.resolve()
    return ended
  }
}
