import type { Database } from '../../database/db.ts'

export interface LaneKey {
  readonly organization_id: string
  readonly webhook_id: string
}

export interface LaneRow extends LaneKey {
  readonly failing_since: string | null
}

/** Long enough to survive a pause of the process or a restart of PostgreSQL, short enough to wait for. */
const leaseSeconds = 20
const lease = `clock_timestamp() + interval '${leaseSeconds} seconds'`
const isFree = `(owned_until IS NULL OR owned_until < clock_timestamp())`
const thisLane = 'organization_id = $1 AND webhook_id = $2'

/** Takes due lanes without a live owner. Concurrent processes take different lanes. */
export function acquireLanes(db: Database, owner: string, now: string, limit: number): Promise<LaneRow[]> {
  return db.query<LaneRow>(
    `UPDATE webhook_lanes l SET owner = $1, owned_until = ${lease}
     FROM (SELECT organization_id, webhook_id FROM webhook_lanes WHERE due_at <= $2 AND ${isFree}
           ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED) free
     WHERE l.organization_id = free.organization_id AND l.webhook_id = free.webhook_id
     RETURNING l.organization_id, l.webhook_id, l.failing_since`,
    [owner, now, limit],
  )
}

/** Returns the lanes of this owner that are due. */
export function findDueLanes(db: Database, owner: string, now: string): Promise<LaneRow[]> {
  return db.query<LaneRow>(
    'SELECT organization_id, webhook_id, failing_since FROM webhook_lanes WHERE owner = $1 AND due_at <= $2',
    [owner, now],
  )
}

/** Returns the lanes that this owner still has. */
export function renewLanes(db: Database, owner: string): Promise<LaneKey[]> {
  return db.query<LaneKey>(
    `UPDATE webhook_lanes SET owned_until = ${lease} WHERE owner = $1 RETURNING organization_id, webhook_id`,
    [owner],
  )
}

/**
 * Stores when the lane is due next, and returns whether that is now. The row is locked first, and a separate
 * statement reads the queue. A transaction that queues a delivery holds the lock until it commits, so it is
 * either visible here or sets `due_at` afterwards.
 */
export function restLane(
  db: Database,
  owner: string,
  { organization_id, webhook_id }: LaneKey,
  now: string,
): Promise<boolean> {
  return db.transaction(async inner => {
    await inner.query(`SELECT 1 FROM webhook_lanes WHERE ${thisLane} AND owner = $3 FOR UPDATE`, [
      organization_id,
      webhook_id,
      owner,
    ])
    const [row] = await inner.query<{ due_at: string | null }>(
      `UPDATE webhook_lanes SET due_at = least(
         (SELECT next_attempt_at FROM webhook_deliveries WHERE ${thisLane} AND status = 'pending' ORDER BY next_attempt_at LIMIT 1),
         (SELECT created_at FROM webhook_batches WHERE ${thisLane} ORDER BY id LIMIT 1))
       WHERE ${thisLane} AND owner = $3 RETURNING due_at`,
      [organization_id, webhook_id, owner],
    )
    return row?.due_at != null && row.due_at <= now
  })
}

export async function releaseLanes(db: Database, owner: string, keys?: readonly LaneKey[]): Promise<void> {
  const some = keys ? 'AND webhook_id = ANY($2::text[])' : ''
  await db.query(
    `UPDATE webhook_lanes SET owner = NULL, owned_until = NULL WHERE owner = $1 ${some}`,
    keys ? [owner, keys.map(({ webhook_id }) => webhook_id)] : [owner],
  )
}

export async function noteFailing(db: Database, key: LaneKey, since: string | null): Promise<void> {
  await db.query(`UPDATE webhook_lanes SET failing_since = $3 WHERE ${thisLane}`, [
    key.organization_id,
    key.webhook_id,
    since,
  ])
}
