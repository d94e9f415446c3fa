import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../database/db.ts'
import type { Checkpoint } from './checkpoint-document.ts'
import { type AuditKeys, checkSeal, linkText, originText } from './keys.ts'
import { Tampering } from './watch.ts'

interface Row {
  readonly organization_id: string
  readonly number: string
  readonly hash: Buffer
  readonly link_seal: Buffer | null
  readonly origin_seal: Buffer | null
}

/** Returns the heads that moved since the last checkpoint. Throws if the service did not seal one of them. */
export async function takeHeads(db: Database, keys: AuditKeys): Promise<Checkpoint['heads']> {
  // Waits until links that are being added are committed. An update that met them would see the new head, but
  // not its link, and take it for forged.
  await db.query('LOCK TABLE audit_heads IN EXCLUSIVE MODE')
  const rows = await db.query<Row & object>(
    `UPDATE audit_heads h SET checkpoint_number = number WHERE number > checkpoint_number
     RETURNING organization_id, number, hash,
       (SELECT seal FROM audit_links l WHERE l.organization_id = h.organization_id AND l.number = h.number AND l.hash = h.hash) AS link_seal,
       (SELECT seal FROM audit_origins o WHERE o.organization_id = h.organization_id AND o.number = h.number AND o.hash = h.hash) AS origin_seal`,
  )
  const heads: Record<string, { number: number; hash: string }> = {}
  for (const [index, row] of rows.entries()) {
    if (index % 500 === 499) await breathe()
    if (!isOwn(keys, row))
      throw new Tampering(
        `link ${row.number} of ${row.organization_id}, the last of its chain, was not sealed by this service: gatehouse audit verify says more.`,
      )
    heads[row.organization_id] = {
      number: Number(row.number),
      hash: Buffer.from(row.hash).toString('hex'),
    }
  }
  return heads
}

function isOwn(keys: AuditKeys, { organization_id, number, hash, link_seal, origin_seal }: Row): boolean {
  const at = [organization_id, Number(number), Buffer.from(hash)] as const
  return (
    checkSeal(keys, linkText(...at), link_seal) === 'right' ||
    checkSeal(keys, originText(...at), origin_seal) === 'right'
  )
}
