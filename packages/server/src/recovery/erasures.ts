import { randomBytes } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { type Act, closeAct, receiptOf } from '../audit/amendments/amendment.ts'
import type { AuditKey } from '../audit/keys.ts'
import type { Database } from '../database/db.ts'
import { eraseBodies, type FoundBodies, findBodies } from '../erasing/erase-bodies.ts'
import { logEvents } from '../store/event-log.ts'
import { eraseMember } from './erase-member.ts'
import type { OpenedLedger } from './open-ledger.ts'
import { scrub } from './scrub.ts'

const page = 2000
const restoreAct = 'restore'

/** Erases again whoever was erased since the backup, before anything is served. */
export async function replayErasures(
  db: Database,
  key: AuditKey,
  ledger: OpenedLedger,
  now: string,
): Promise<void> {
  if (!ledger.has_erasures) return
  const erased = new Map<string, string[]>()
  for (let [organization_id, id] = ['', '']; ; await breathe()) {
    const rows = await db.query<{ organization_id: string; id: string }>(
      `SELECT organization_id, id FROM members WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT ${page}`,
      [organization_id, id],
    )
    for (const row of rows) {
      const how = ledger.erased(row.organization_id, row.id)
      if (!how) continue
      const member = { organization_id: row.organization_id, member_id: row.id }
      const act = { organization_id: row.organization_id, act: `${restoreAct} ${now}` }
      const ids = await eraseMember(db, key, now, act, member, how)
      erased.getOrInsertComputed(row.organization_id, () => []).push(...ids)
    }
    const last = rows.at(-1)
    if (!last || rows.length < page) break
    ;({ organization_id, id } = last)
  }
  for (const [organization_id, ids] of erased) {
    await eraseAnswers(db, organization_id)
    await forgetVersions(db, organization_id)
    let from: FoundBodies['next']
    do {
      const { places, next } = await findBodies(db, { organization_id, ids }, from)
      await eraseBodies(db, organization_id, places, now)
      from = next
    } while (from !== undefined)
  }
  if (erased.size > 0) await scrub(db)
}

/** Whomever they name. The keys stay: a repeated request is refused, and does not create a person again. */
async function eraseAnswers(db: Database, organizationId: string): Promise<void> {
  await db.query(
    'UPDATE idempotency_keys SET answer = NULL, fingerprint = $2 WHERE organization_id = $1 AND answer IS NOT NULL',
    [organizationId, randomBytes(32)],
  )
}

/** No event says that these members are gone: a controller that was away all the time gets a snapshot, which has none of them. */
async function forgetVersions(db: Database, organizationId: string): Promise<void> {
  await db.query(
    'UPDATE device_policies SET places_hash = NULL, applied_places_hash = NULL WHERE organization_id = $1',
    [organizationId],
  )
}

/** Writes the receipts of what was erased again into the chains, also of what was interrupted. */
export async function writeReceipts(db: Database, now: string): Promise<void> {
  const open = await db.query<Act>(
    `SELECT DISTINCT a.organization_id, a.act FROM audit_amendments a WHERE a.act LIKE '${restoreAct} %'
       AND NOT EXISTS (SELECT 1 FROM audit_acts c WHERE c.organization_id = a.organization_id AND c.act = a.act)`,
  )
  for (const act of open) {
    const { organization_id } = act
    const receipt_hash = await receiptOf(db, act)
    const object = {
      type: 'organization' as const,
      organization_id,
      reason: 'restored_from_backup',
      receipt_hash,
    }
    const draft = { organization_id, subject: {}, verb: 'edit' as const, object, recorded_at: now }
    const [id = ''] = await logEvents(db, [draft])
    await closeAct(db, act, id)
  }
}
