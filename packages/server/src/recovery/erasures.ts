import { setImmediate as breathe } from 'node:timers/promises'
import type { AuditKey } from '../audit/keys.ts'
import type { Database } from '../database/db.ts'
import { eraseMember } from './erase-member.ts'
import type { OpenedLedger } from './open-ledger.ts'
import { scrub } from './scrub.ts'

const page = 2000

/** Erases again whoever was erased since the backup, before anything is served. */
export async function replayErasures(
  db: Database,
  key: AuditKey,
  ledger: OpenedLedger,
  now: string,
): Promise<void> {
  if (!ledger.has_erasures) return
  let erased = 0
  for (let [organization_id, id] = ['', '']; ; await breathe()) {
    const rows = await db.query<{ organization_id: string; id: string }>(
      `SELECT organization_id, id FROM members WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT ${page}`,
      [organization_id, id],
    )
    for (const row of rows.filter(row => ledger.isErased(row.organization_id, row.id))) {
      await eraseMember(db, key, now, row)
      erased++
    }
    const last = rows.at(-1)
    if (!last || rows.length < page) break
    ;({ organization_id, id } = last)
  }
  if (erased > 0) await scrub(db)
}
