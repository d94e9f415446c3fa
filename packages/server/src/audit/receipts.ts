import { hash } from 'node:crypto'
import type { Database, Row } from '../database/db.ts'
import { canonicalEvent } from './chain.ts'
import type { CheckpointKey } from './signing.ts'
import { readTrusted, signDocument } from './signing.ts'

/** Records why a link has lost its salt, and what was left of its event. */
interface Receipt {
  readonly erased: string
  readonly organization_id: string
  readonly number: number
  /** The hash of the link. The receipt is valid for no other link. */
  readonly hash: string
  /** The hash of what is left of the event, so that a later alteration is detected. */
  readonly left: string
  readonly erased_at: string
  readonly by: string
  readonly reason: string
}

export function hashLeft(event: Row): string {
  return hash('sha256', canonicalEvent(event))
}

export async function storeReceipt(db: Database, key: CheckpointKey, receipt: Receipt): Promise<void> {
  await db.query('INSERT INTO audit_receipts (organization_id, number, document) VALUES ($1, $2, $3)', [
    receipt.organization_id,
    receipt.number,
    signDocument(key, receipt),
  ])
}

type Erased = { readonly number: number; readonly event_id: string; readonly hash: Buffer }

/** Returns a sentence about what is wrong with the receipt of a link without salt, or undefined. */
export async function checkReceipt(
  db: Database,
  publicKeys: readonly string[],
  organizationId: string,
  link: Erased,
  event: Row,
): Promise<string | undefined> {
  const [row] = await db.query<{ document: string }>(
    'SELECT document FROM audit_receipts WHERE organization_id = $1 AND number = $2',
    [organizationId, link.number],
  )
  const about = `the salt of event ${link.event_id} was removed`
  if (!row) return `${about} without a receipt: its content may have been altered`
  const receipt = readTrusted<Receipt>(row.document, publicKeys)
  if (!receipt) return `${about} with a receipt that the service did not sign`
  const isIts =
    receipt.organization_id === organizationId &&
    receipt.number === link.number &&
    receipt.hash === link.hash.toString('hex')
  if (!isIts) return `${about} with the receipt of another event`
  return receipt.left === hashLeft(event)
    ? undefined
    : `event ${link.event_id} was altered after it was erased on ${receipt.erased_at}`
}
