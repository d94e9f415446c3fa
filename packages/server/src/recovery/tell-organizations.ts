import type { EventObject } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { serviceCaller } from '../store/caller.ts'
import { logEvents } from '../store/event-log.ts'

type Said = Pick<EventObject, 'reason' | 'restored_to' | 'restored_by'>

/** Writes an event for every organization: its chain goes on with a link that states the restore. */
export async function tellOrganizations(db: Database, now: string, said: Said): Promise<void> {
  const rows = await db.query<{ id: string }>('SELECT id FROM organizations WHERE NOT is_deleted ORDER BY id')
  const drafts = rows.map(({ id: organization_id }) => ({
    organization_id,
    subject: serviceCaller(organization_id).subject(),
    verb: 'edit' as const,
    object: { type: 'organization' as const, organization_id, ...said },
    recorded_at: now,
  }))
  for (let start = 0; start < drafts.length; start += 500)
    await logEvents(db, drafts.slice(start, start + 500))
}
