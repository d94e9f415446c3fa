import { compilePolicy, type Policy, type PolicyRows } from '@gatehouse/core'
import type { Database } from '../store/db.ts'
import { selectRows } from './rows.ts'

export interface Loaded {
  readonly policy: Policy
  /** Everything this snapshot can see is in the policy. */
  readonly snapshot: string
  /** How much of the cache's room it takes, in rows. */
  readonly size: number
}

/** Loads what lives, all as of one moment. */
export function loadPolicy(pool: Database, organizationId: string): Promise<Loaded> {
  return asOfOneMoment(pool, db => load(db, organizationId))
}

/** Runs reads that all see the same snapshot. */
export function asOfOneMoment<T>(pool: Database, read: (db: Database) => Promise<T>): Promise<T> {
  return pool.transaction(async db => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return read(db)
  })
}

async function load(db: Database, organizationId: string): Promise<Loaded> {
  const [row] = await db.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot')
  const read = <Kind extends keyof PolicyRows>(kind: Kind) => selectRows(db, organizationId, kind)
  const rows: PolicyRows = {
    sites: await read('sites'),
    devices: await read('devices'),
    gadgets: await read('gadgets'),
    schedules: await read('schedules'),
    groups: await read('groups'),
    members: await read('members'),
    associations: await read('associations'),
    credentials: await read('credentials'),
  }
  const size = Object.values(rows).reduce((sum, list) => sum + list.length, 0)
  return { policy: compilePolicy(rows), snapshot: row?.snapshot ?? '', size }
}
