import { applySteps, createPolicy, type Policy, type Steps, settleSteps } from '@gatehouse/core'
import type { Database } from '../database/db.ts'
import type { Moment } from '../database/moment.ts'
import { inSlices } from '../flow/slices.ts'
import { type Batch, countRows, selectLiving } from './rows.ts'
import { allSources } from './sources.ts'

export interface Loaded {
  readonly policy: Policy
  /** Everything of this moment is in the policy. */
  readonly moment: Moment
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

/** Row by row as they are read: neither the loop nor the memory ever holds all of them. */
async function load(db: Database, organizationId: string): Promise<Loaded> {
  const { moment, size } = await countRows(db, organizationId, [
    'gadgets',
    'members',
    'associations',
    'credentials',
  ])
  const policy = createPolicy(size)
  let count = 0
  for (const source of allSources)
    for await (const batch of selectLiving(db, organizationId, source)) {
      count += batch.rows.length
      await inSlices(organizationId, putRows(policy, batch))
    }
  await inSlices(organizationId, settleSteps(policy))
  return { policy, moment, size: count }
}

export function* putRows(policy: Policy, { source, rows }: Batch): Steps<void> {
  for (const row of rows) yield* applySteps(policy, source.name, [source.parse(row)])
}
