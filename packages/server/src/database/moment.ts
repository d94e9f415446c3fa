import { present } from '../flow/present.ts'
import type { Database } from './db.ts'

/**
 * A point in the history of the database: everything visible to `snapshot`, within one epoch of transaction
 * ids. Data cached as of a moment is valid only while its epoch lasts. Data *stored* with its moment stays
 * valid forever: the WAL that carried it through a crash also carried everything before it.
 */
export interface Moment {
  readonly epoch: number
  readonly snapshot: string
}

export function momentOf({ epoch, snapshot }: Moment): Moment {
  return { epoch, snapshot }
}

/** The columns that select the current moment. */
export const presentMoment = 'feed_epoch() AS epoch, pg_current_snapshot()::text AS snapshot'

export async function readMoment(db: Database): Promise<Moment> {
  const [row] = await db.query<Moment>(`SELECT ${presentMoment}`)
  return present(row, 'the moment')
}

/**
 * Returns an SQL condition for the events committed after a moment; the feed's indexes support it. Every
 * change is logged as an event in the same transaction, so these events are exactly what a copy as of that
 * moment lacks. Unlike the feed, this condition is not held back by open transactions.
 */
export function isAfterMoment(epoch: string, snapshot: string): string {
  return `(e.epoch, e.transaction_id) >= (${epoch}, pg_snapshot_xmin(${snapshot}))
    AND (e.epoch > ${epoch} OR NOT pg_visible_in_snapshot(e.transaction_id, ${snapshot}))`
}
