import { resources } from '@gatehouse-access/api'
import { digestEvent } from '../audit/chain.ts'
import type { AuditKey } from '../audit/keys.ts'
import { hashLeft, storeReceipt } from '../audit/receipts.ts'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import type { EventColumns } from '../events/feed-event.ts'
import { present } from '../flow/present.ts'
import { selectList } from '../store/columns.ts'
import { findHoldOf } from './holds.ts'

interface Erasure {
  readonly event_id: string
  readonly by: string
  readonly reason: string
}

/**
 * Removes all personal data from an event, deletes its salt and stores a signed receipt. The time, the verb
 * and the object type remain.
 */
export async function eraseEvent(db: Database, key: AuditKey, now: string, erasure: Erasure): Promise<void> {
  await db.transaction(async inner => {
    const link = await findLink(inner, erasure.event_id)
    const organizationId = link.organization_id
    const before = await readEvent(inner, organizationId, erasure.event_id)
    const hold = await findHoldOf(inner, organizationId, erasure.event_id, now)
    if (hold)
      throw new StartError(
        `Event ${erasure.event_id} is covered by the legal hold ${hold.id} (${hold.name}) until ${hold.expires_at}: an owner has to end it first.`,
      )
    // A receipt for an altered event would hide the alteration.
    if (!digestEvent(link.salt, before).equals(link.digest))
      throw new StartError(
        `Event ${erasure.event_id} was altered since it was sealed: gatehouse audit verify says more.`,
      )
    await inner.query(
      `UPDATE events SET subject = '{}', object = jsonb_build_object('type', object->'type'), explanation = NULL
       WHERE organization_id = $1 AND id = $2`,
      [organizationId, erasure.event_id],
    )
    await inner.query('UPDATE audit_links SET salt = NULL WHERE organization_id = $1 AND number = $2', [
      organizationId,
      link.number,
    ])
    const after = await readEvent(inner, organizationId, erasure.event_id)
    await storeReceipt(inner, key.signing, {
      erased: erasure.event_id,
      organization_id: organizationId,
      number: Number(link.number),
      hash: Buffer.from(link.hash).toString('hex'),
      left: hashLeft(after),
      erased_at: now,
      by: erasure.by,
      reason: erasure.reason,
    })
  })
}

interface Link {
  readonly organization_id: string
  readonly number: string
  readonly salt: Buffer
  readonly digest: Buffer
  readonly hash: Buffer
}

async function findLink(db: Database, eventId: string): Promise<Link> {
  const [link] = await db.query<Omit<Link, 'salt'> & { salt: Buffer | null }>(
    `SELECT l.organization_id, l.number, l.salt, l.digest, l.hash
     FROM events e JOIN audit_links l ON l.organization_id = e.organization_id AND l.event_id = e.id
     WHERE e.id = $1 FOR UPDATE OF l`,
    [eventId],
  )
  if (!link) throw new StartError(`There is no sealed event ${eventId}.`)
  const { salt } = link
  if (salt === null) throw new StartError(`Event ${eventId} was already erased.`)
  return { ...link, salt }
}

async function readEvent(db: Database, organizationId: string, id: string): Promise<EventColumns> {
  const [event] = await db.query<EventColumns>(
    `SELECT ${selectList(resources.event)} FROM events t WHERE t.organization_id = $1 AND t.id = $2`,
    [organizationId, id],
  )
  return present(event, `event ${id}`)
}
