import type { Database } from '../../store/db.ts'
import type { Vault } from '../../vault.ts'
import type { LaneKey } from './lanes.ts'
import { type SigningKey, signingKey } from './sign.ts'

/** Where a lane leads. */
export interface Target {
  readonly url: string
  readonly key: SigningKey
}

export interface DueDelivery {
  readonly id: string
  readonly event_id: string
  readonly body: string
  readonly round_started_at: string | null
}

const thisLane = 'organization_id = $1 AND webhook_id = $2'

/** Undefined when nothing is to be sent any more: the webhook is deleted or switched off. */
export async function loadTarget(db: Database, vault: Vault, lane: LaneKey): Promise<Target | undefined> {
  const [row] = await db.query<{ url: string; secret_ciphertext: Buffer }>(
    `SELECT url, secret_ciphertext FROM webhooks WHERE organization_id = $1 AND id = $2 AND is_enabled AND NOT is_deleted`,
    [lane.organization_id, lane.webhook_id],
  )
  if (!row) return undefined
  const secret = vault.decrypt(row.secret_ciphertext, `webhook ${lane.webhook_id}`)
  return { url: row.url, key: signingKey(secret) }
}

/** What is due, in the order it is due, without what is under way. */
export function loadDue(
  db: Database,
  lane: LaneKey,
  now: string,
  held: Iterable<string>,
  limit: number,
): Promise<DueDelivery[]> {
  return db.query(
    `SELECT id, event_id, body, round_started_at FROM webhook_deliveries
     WHERE ${thisLane} AND status = 'pending' AND next_attempt_at <= $3 AND id <> ALL($4::text[])
     ORDER BY next_attempt_at, id LIMIT $5`,
    [lane.organization_id, lane.webhook_id, now, [...held], limit],
  )
}

const batch = 5000

/** Ends what is still pending, in batches. */
export async function cancelPending(db: Database, lane: LaneKey, now: string): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `UPDATE webhook_deliveries SET status = 'canceled', next_attempt_at = NULL, finished_at = $3
       WHERE ${thisLane} AND id IN (SELECT id FROM webhook_deliveries WHERE ${thisLane} AND status = 'pending' LIMIT ${batch}) RETURNING 1`,
      [lane.organization_id, lane.webhook_id, now],
    )
    if (rows.length < batch) return
  }
}
