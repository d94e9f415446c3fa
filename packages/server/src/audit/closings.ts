import type { Database } from '../database/db.ts'
import type { AuditContext } from './context.ts'
import { deriveAuditKey } from './keys.ts'
import { readTrusted, signDocument } from './signing.ts'

/** The signed end of a purged organization's chain. Nothing else of the organization is left. */
export interface Closing {
  readonly closing: string
  readonly number: number
  readonly hash: string | null
  readonly purged_at: string
  /** The end of the grace period, until which the deleted organization could be restored. */
  readonly due_at: string
}

/** Writes the closing before any data of the organization is deleted. A resumed purge finds it. */
export async function closeChain(
  { db, clock, config }: Pick<AuditContext, 'db' | 'clock' | 'config'>,
  organizationId: string,
  due_at: string,
): Promise<void> {
  const key = deriveAuditKey(config.secret_keys[0]).signing
  await db.transaction(async inner => {
    // Locks the head row. Adding a link takes the same lock, so that no link follows the closing.
    const [head] = await inner.query<{ number: string; hash: Buffer }>(
      'SELECT number, hash FROM audit_heads WHERE organization_id = $1 FOR UPDATE',
      [organizationId],
    )
    const closing: Closing = {
      closing: organizationId,
      number: Number(head?.number ?? 0),
      hash: head ? Buffer.from(head.hash).toString('hex') : null,
      purged_at: clock.now(),
      due_at,
    }
    await inner.query(
      'INSERT INTO audit_closings (id, document) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [organizationId, signDocument(key, closing)],
    )
  })
}

/** Returns the organizations that are purged or being purged. Their chains get no more links. */
export async function findClosed(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>('SELECT id FROM audit_closings WHERE id = ANY($1::text[])', [
    ids,
  ])
  return rows.map(({ id }) => id)
}

interface FoundClosing {
  readonly id: string
  /** Undefined if the service did not sign it. */
  readonly closing: Closing | undefined
}

export async function readClosings(db: Database, publicKeys: readonly string[]): Promise<FoundClosing[]> {
  const rows = await db.query<{ id: string; document: string }>('SELECT id, document FROM audit_closings')
  return rows.map(({ id, document }) => {
    const closing = readTrusted<Closing>(document, publicKeys)
    return { id, closing: closing?.closing === id ? closing : undefined }
  })
}
