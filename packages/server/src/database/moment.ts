import { present } from '../flow/present.ts'
import type { Database } from './db.ts'

/**
 * A moment of the database: everything that `snapshot` can see, in one epoch of its transaction ids. What is believed as of a
 * moment holds as long as its epoch runs. What was *stored* with its moment holds for ever: the log that brought it
 * through a crash brought everything before it too.
 */
export interface Moment {
  readonly epoch: number
  readonly snapshot: string
}

export function momentOf({ epoch, snapshot }: Moment): Moment {
  return { epoch, snapshot }
}

/** The columns that tell the present moment. */
export const presentMoment = 'feed_epoch() AS epoch, pg_current_snapshot()::text AS snapshot'

export async function readMoment(db: Database): Promise<Moment> {
  const [row] = await db.query<Moment>(`SELECT ${presentMoment}`)
  return present(row, 'the moment')
}

/**
 * Which events were committed after a moment, as a condition that the feed's indexes serve. Every change is an event of its own
 * transaction, so these are exactly what a copy of that moment lacks; unlike the feed, no open transaction holds them back.
 */
export function isAfterMoment(epoch: string, snapshot: string): string {
  return `(e.epoch, e.transaction_id) >= (${epoch}, pg_snapshot_xmin(${snapshot}))
    AND (e.epoch > ${epoch} OR NOT pg_visible_in_snapshot(e.transaction_id, ${snapshot}))`
}
