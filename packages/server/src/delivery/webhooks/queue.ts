import type { Database } from '../../database/db.ts'
import { literalAddress } from '../../outbound/addresses.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Vault } from '../../vault/vault.ts'
import type { DueDelivery, Source } from './due-delivery.ts'
import type { LaneKey } from './lanes.ts'
import type { Receiver } from './send.ts'
import { type SigningKey, signingKey } from './sign.ts'

/** The receiver of a lane. */
export interface Target extends Receiver {
  readonly key: SigningKey
}

const thisLane = 'd.organization_id = $1 AND d.webhook_id = $2'

/** Returns undefined if the webhook is deleted or disabled, so nothing is to be sent. */
export async function loadTarget(db: Database, vault: Vault, lane: LaneKey): Promise<Target | undefined> {
  const [row] = await db.query<{ url: string; secret_ciphertext: Buffer }>(
    `SELECT url, secret_ciphertext FROM webhooks WHERE organization_id = $1 AND id = $2 AND is_enabled AND NOT is_deleted`,
    [lane.organization_id, lane.webhook_id],
  )
  if (!row) return undefined
  const secret = vault.decrypt(row.secret_ciphertext, sealedAs.webhook(lane.webhook_id))
  const { origin, pathname, search, hostname } = new URL(row.url)
  return { origin, path: pathname + search, address: literalAddress(hostname), key: signingKey(secret) }
}

/** Limit for the bodies of one read. At least one is read. */
const mostBytes = 1024 * 1024

/** A new round starts at place 0 without attempts, whatever the previous round left. */
const roundOf = `d.round_started_at, CASE WHEN d.round_started_at IS NULL THEN 0 ELSE d.round_place END AS round_place,
       CASE WHEN d.round_started_at IS NOT NULL THEN d.attempts->-1->>'attempted_at' END AS previous_at`

/** Returns due retries in order, except those in `held`. */
export async function loadDue(
  db: Database,
  lane: LaneKey,
  now: string,
  held: ReadonlySet<string>,
  limit: number,
): Promise<DueDelivery[]> {
  const rows = await db.query<DueRow>(
    `SELECT d.id, d.event_id, d.oauth_application_id, d.reader, b.body, d.next_attempt_at AS due_at, d.created_at, ${roundOf}
     FROM (SELECT d.*, sum(octet_length(b.body)) OVER (ORDER BY d.next_attempt_at, d.id) - octet_length(b.body) AS before
           FROM (SELECT * FROM webhook_deliveries d WHERE ${thisLane} AND d.status = 'pending' AND d.next_attempt_at <= $3
                   AND d.event_id <> ALL($4::text[]) ORDER BY d.next_attempt_at, d.id LIMIT $5) d
           JOIN webhook_bodies b USING (organization_id, event_id, reader)) d
     JOIN webhook_bodies b USING (organization_id, event_id, reader)
     WHERE d.before < ${mostBytes} ORDER BY d.next_attempt_at, d.id`,
    [lane.organization_id, lane.webhook_id, now, [...held], limit],
  )
  return rows.map(row => toDue(lane, row))
}

type DueRow = Omit<Source, keyof LaneKey> & Omit<DueDelivery, 'source' | 'body'> & { readonly body: string }

function toDue({ organization_id, webhook_id }: LaneKey, row: DueRow): DueDelivery {
  const { oauth_application_id, reader, created_at, body, ...rest } = row
  const source = { organization_id, webhook_id, oauth_application_id, reader, created_at }
  return { ...rest, source, body: Buffer.from(body) }
}

const batch = 5000

/** Cancels all pending deliveries, in batches. */
export async function cancelPending(db: Database, lane: LaneKey, now: string): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `UPDATE webhook_deliveries d SET status = 'canceled', next_attempt_at = NULL, finished_at = $3
       WHERE ${thisLane} AND id IN (SELECT id FROM webhook_deliveries d WHERE ${thisLane} AND status = 'pending' LIMIT ${batch}) RETURNING 1`,
      [lane.organization_id, lane.webhook_id, now],
    )
    if (rows.length < batch) return
  }
}
