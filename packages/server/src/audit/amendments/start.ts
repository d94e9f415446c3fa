import type { Database } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import type { AuditKey } from '../keys.ts'
import { readTrusted, signDocument } from '../signing.ts'

/** Where a chain begins whose older events retention has deleted. */
export interface ChainStart {
  readonly chain_start: string
  /** The last link that is gone, and its hash. */
  readonly number: number
  readonly hash: string
  /** The place of its event in the feed. */
  readonly position: string
  readonly reason: 'retention'
  readonly moved_at: string
}

/**
 * Lets the chain begin behind the link of an event, in a transaction of the caller: from now on its event and all before it may be
 * deleted, in any number of steps. The last link that a checkpoint covers stays, so that checkpoints still prove the chain. Returns the
 * number of the last link that may go.
 */
export async function moveStart(
  db: Database,
  key: AuditKey,
  now: string,
  organizationId: string,
  eventId: string,
): Promise<number | undefined> {
  const [link] = await db.query<{ number: string; hash: Buffer; position: string; is_covered: boolean }>(
    `SELECT l.number, l.hash, e.epoch || '.' || e.transaction_id || '.' || e.sequence AS position, l.number < h.checkpoint_number AS is_covered
     FROM audit_links l JOIN events e ON e.organization_id = l.organization_id AND e.id = l.event_id
     JOIN audit_heads h ON h.organization_id = l.organization_id
     WHERE l.organization_id = $1 AND l.event_id = $2`,
    [organizationId, eventId],
  )
  if (!link?.is_covered) return undefined
  const number = Number(link.number)
  const start: ChainStart = {
    chain_start: organizationId,
    number,
    hash: Buffer.from(link.hash).toString('hex'),
    position: link.position,
    reason: 'retention',
    moved_at: now,
  }
  const [moved] = await db.query<{ number: string }>(
    `INSERT INTO audit_starts AS s (organization_id, number, document) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id) DO UPDATE
     SET number = greatest(s.number, excluded.number), document = CASE WHEN excluded.number > s.number THEN excluded.document ELSE s.document END
     RETURNING number`,
    [organizationId, number, signDocument(key.signing, start)],
  )
  return Number(present(moved, 'the start of a chain').number)
}

/** Deletes links before the start, at most so many, and the amendments of acts whose receipt is among them. Returns how many links. */
export async function deleteLinks(db: Database, organizationId: string, most: number): Promise<number> {
  const rows = await db.query<{ event_id: string }>(
    `DELETE FROM audit_links WHERE organization_id = $1 AND number IN (
       SELECT l.number FROM audit_links l JOIN audit_starts s ON s.organization_id = l.organization_id
       WHERE l.organization_id = $1 AND l.number <= s.number ORDER BY l.number LIMIT $2) RETURNING event_id`,
    [organizationId, most],
  )
  const acts = await db.query<{ act: string }>(
    'DELETE FROM audit_acts WHERE organization_id = $1 AND event_id = ANY($2::text[]) RETURNING act',
    [organizationId, rows.map(({ event_id }) => event_id)],
  )
  if (acts.length > 0)
    await db.query('DELETE FROM audit_amendments WHERE organization_id = $1 AND act = ANY($2::text[])', [
      organizationId,
      acts.map(({ act }) => act),
    ])
  return rows.length
}

interface FoundStart {
  readonly start: ChainStart | undefined
  /** False if the service did not sign it. */
  readonly is_signed: boolean
}

export async function readStart(
  db: Database,
  organizationId: string,
  trusted: readonly string[],
): Promise<FoundStart> {
  const [row] = await db.query<{ document: string }>(
    'SELECT document FROM audit_starts WHERE organization_id = $1',
    [organizationId],
  )
  if (!row) return { start: undefined, is_signed: true }
  const start = readTrusted<ChainStart>(row.document, trusted)
  return { start, is_signed: start?.chain_start === organizationId }
}
