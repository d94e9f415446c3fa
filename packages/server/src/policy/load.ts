import {
  applySteps,
  createPolicy,
  type Policy,
  type PolicyKind,
  type Steps,
  settleSteps,
} from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Moment } from '../database/moment.ts'
import { inSlices } from '../flow/slices.ts'
import type { ZoneData } from '../zones/zone-data.ts'
import { type Batch, countRows, selectLiving } from './rows.ts'
import { allSources, type Source } from './sources.ts'

export interface Loaded {
  readonly policy: Policy
  /** The policy contains everything as of this moment. */
  readonly moment: Moment
  /** The number of rows, which counts against the capacity of the cache. */
  readonly size: number
}

/** Kinds that are worth counting before they are loaded. */
const numerous: ReadonlySet<PolicyKind> = new Set(['gadgets', 'members', 'associations', 'credentials'])

/** Loads everything that is not deleted, as of a single moment. */
export function loadPolicy(
  pool: Database,
  zones: ZoneData,
  organizationId: string,
  sources = allSources,
): Promise<Loaded> {
  return asOfOneMoment(pool, db => load(db, zones, organizationId, sources))
}

/** Runs reads that all see the same snapshot. */
export function asOfOneMoment<T>(pool: Database, read: (db: Database) => Promise<T>): Promise<T> {
  return pool.transaction(async db => {
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    return read(db)
  })
}

/** Adds rows as they are read, so that neither the event loop nor memory ever holds all of them at once. */
async function load(
  db: Database,
  zones: ZoneData,
  organizationId: string,
  sources: readonly Source[],
): Promise<Loaded> {
  const counted = new Set(sources.map(({ name }) => name)).intersection(numerous)
  const { moment, size } = await countRows(db, organizationId, [...counted])
  const policy = createPolicy(size, { zoneTable: name => zones.table(name) })
  let count = 0
  for (const source of sources)
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
