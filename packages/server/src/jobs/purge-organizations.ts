import { closeChain } from '../audit/closings.ts'
import type { Database } from '../database/db.ts'
import { eachApart } from '../flow/each-apart.ts'
import type { Context } from '../services/objects/context.ts'
import { removeRows } from '../services/organizations/remove-rows.ts'

/**
 * Removes everything of organizations whose 30 days are over. Only the bare row remains, because ids are
 * never reused, and the signed end of the audit chain. A legal hold keeps an organization as a whole until it ends.
 */
export async function purgeOrganizations(context: Context): Promise<void> {
  const due = await context.db.query<{ organization_id: string; due_at: string }>(
    `SELECT organization_id, due_at FROM organization_deletions d WHERE due_at <= $1
       AND NOT EXISTS (SELECT 1 FROM legal_holds h WHERE h.organization_id = d.organization_id AND NOT h.is_deleted AND h.expires_at > $1)
     ORDER BY due_at`,
    [context.clock.now()],
  )
  await eachApart(due, async ({ organization_id, due_at }) => {
    await closeChain(context, organization_id, due_at)
    await purge(context.db, organization_id)
  })
}

async function purge(db: Database, organization_id: string): Promise<void> {
  await removeRows(db, organization_id)
  await db.query(
    `UPDATE organizations SET name = 'Deleted organization', metadata = '{}', logo = NULL, logo_type = NULL, logo_hash = NULL, color = NULL WHERE id = $1`,
    [organization_id],
  )
  // Last, so that an interrupted purge is resumed.
  await db.query('DELETE FROM organization_deletions WHERE organization_id = $1', [organization_id])
}
