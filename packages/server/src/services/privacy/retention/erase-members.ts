import type { Database } from '../../../database/db.ts'
import { serviceCaller } from '../../../store/caller.ts'
import { isDeletedSince } from '../../erasures/deleted-since.ts'
import { eraseExpired } from '../../erasures/erasures.ts'
import type { Context } from '../../objects/context.ts'
import { readProgress, storeProgress } from './progress.ts'

/** Members that one run begins to erase, at most: what follows for each is the work of another job. */
const mostInRun = 500
const page = 50

/** Erases the members of an organization that were deleted before a time. Returns how many. */
export async function eraseMembers(
  context: Context,
  organization_id: string,
  before: string,
  now: string,
): Promise<number> {
  const { db } = context
  let count = 0
  for (const member_id of await findCanceled(db, organization_id, before)) {
    await eraseExpired({ context, db, caller: serviceCaller(organization_id), now }, member_id)
    count++
  }
  while (count < mostInRun) {
    const progress = await readProgress(db, organization_id, 'members', now)
    const deleted = await findDeleted(db, organization_id, progress, before)
    for (const { member_id, is_due } of deleted) {
      if (!is_due || member_id === null) continue
      await eraseExpired({ context, db, caller: serviceCaller(organization_id), now }, member_id)
      count++
    }
    const last = deleted.at(-1)
    if (!last) return count
    await storeProgress(db, organization_id, 'members', {
      ...progress,
      created_at: last.created_at,
      event_id: last.id,
    })
  }
  return count
}

interface Deleted {
  readonly id: string
  readonly created_at: string
  readonly member_id: string | null
  readonly is_due: boolean
}

/** Members whose erasure somebody canceled while it waited, whoever asked for it. The search has passed them, and they are still due. */
async function findCanceled(db: Database, organization_id: string, before: string): Promise<string[]> {
  const rows = await db.query<{ member_id: string }>(
    `SELECT DISTINCT e.member_id FROM erasures e JOIN members m ON m.organization_id = e.organization_id AND m.id = e.member_id
     WHERE e.organization_id = $1 AND NOT e.is_deleted AND e.state = 'canceled' AND m.is_deleted AND m.erased_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM erasures o WHERE o.organization_id = $1 AND o.member_id = m.id AND o.state NOT IN ('done', 'canceled'))
       AND NOT ${isDeletedSince('m.id', '$2')} LIMIT ${page}`,
    [organization_id, before],
  )
  return rows.map(({ member_id }) => member_id)
}

/** When a member was deleted is known by its last event of that. Whoever was restored meanwhile has a later one, or stays. */
function findDeleted(
  db: Database,
  organization_id: string,
  { created_at, event_id }: { readonly created_at: string; readonly event_id: string },
  before: string,
): Promise<Deleted[]> {
  return db.query<Deleted>(
    `SELECT t.id, t.created_at, t.object->>'member_id' AS member_id,
       EXISTS (SELECT 1 FROM members m WHERE m.organization_id = $1 AND m.id = t.object->>'member_id' AND m.is_deleted AND m.erased_at IS NULL)
       AND NOT ${isDeletedSince("(t.object->>'member_id')", '$4')} AS is_due
     FROM events t WHERE t.organization_id = $1 AND (t.object->>'type') = 'member' AND t.verb = 'delete'
       AND (t.created_at, t.id) > ($2::timestamptz, $3) AND t.created_at < $4 ORDER BY t.created_at, t.id LIMIT ${page}`,
    [organization_id, created_at, event_id, before],
  )
}
