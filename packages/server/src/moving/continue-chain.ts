import type { AuditKey } from '../audit/keys.ts'
import { type Head, linkEvents } from '../audit/seal.ts'
import { readEvents, verifyChain } from '../audit/verify/chain.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import type { Database } from '../database/db.ts'
import type { About } from './about.ts'

const page = 2000

/**
 * Verifies the loaded chain against the loaded events, and links the events that the source had not linked yet.
 * Returns the head. The links keep the seals of the source, which say nothing here: see `storeOrigin`.
 */
export async function continueChain(
  db: Database,
  key: AuditKey,
  { organization: { id }, links }: About,
): Promise<Head | undefined> {
  const means = { keys: undefined, trusted: [key.signing.public_key] }
  const { events, first_break } = await verifyChain(db, id, [], means)
  if (first_break) throw new DamagedError(`its audit chain is broken: ${first_break.message}`)
  if (events !== links) throw new DamagedError(`it holds ${events} links of the audit chain, not ${links}`)
  const last = await findLast(db, id)
  let head = last?.head
  for (let after = last?.position ?? '0.0.0'; ; ) {
    const found = await readEvents(db, id, after, page)
    const linked = found.map(({ position, ...event }) => ({ position, event }))
    head = await linkEvents(db, key, id, head, linked)
    if (found.length < page) return head
    after = found.at(-1)?.position ?? after
  }
}

interface Last {
  readonly head: Head
  readonly position: string
}

async function findLast(db: Database, id: string): Promise<Last | undefined> {
  const [row] = await db.query<{ number: string; hash: Buffer }>(
    'SELECT number, hash FROM audit_links WHERE organization_id = $1 ORDER BY number DESC LIMIT 1',
    [id],
  )
  // Events may have been deleted by an erasure, the last one too.
  const [event] = await db.query<{ position: string }>(
    `SELECT e.epoch || '.' || e.transaction_id || '.' || e.sequence AS position FROM audit_links l
     JOIN events e ON e.organization_id = l.organization_id AND e.id = l.event_id
     WHERE l.organization_id = $1 ORDER BY l.number DESC LIMIT 1`,
    [id],
  )
  return (
    row && {
      head: { number: Number(row.number), hash: Buffer.from(row.hash) },
      position: event?.position ?? '0.0.0',
    }
  )
}
