import { resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { releaseCredentials } from '../services/members/members.ts'
import type { Context } from '../services/objects/context.ts'
import { serviceCaller } from '../store/caller.ts'
import { deleteObjects } from '../store/write.ts'

const batch = 200

/**
 * Deletes members a day after their end. Any number of processes may run this at once: each locks rows that
 * no other holds, and deleted rows are not found again. Returns the number of deleted members.
 */
export async function expireMembers(context: Context): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await context.db.transaction(db => expireBatch(context, db))
    total += deleted
    if (deleted < batch) return total
  }
}

async function expireBatch(context: Context, db: Database): Promise<number> {
  const now = context.clock.now()
  const due = await db.query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM members WHERE auto_delete_at <= $1 AND NOT is_deleted
     ORDER BY auto_delete_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    [now],
  )
  for (const [organization_id, members] of Map.groupBy(due, row => row.organization_id))
    await expireOf(db, organization_id, members, now)
  context.metrics.count('gatehouse_members_expired_total', {}, due.length)
  return due.length
}

async function expireOf(
  db: Database,
  organization_id: string,
  members: readonly { readonly id: string }[],
  now: string,
): Promise<void> {
  const write = { db, caller: serviceCaller(organization_id), now }
  const ids = members.map(member => member.id)
  await releaseCredentials(write, ids)
  await deleteObjects(write, resources.member, 'id', ids)
}
