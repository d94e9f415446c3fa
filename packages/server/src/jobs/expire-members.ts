import { resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { eachApart } from '../flow/each-apart.ts'
import { releaseCredentials } from '../services/members/members.ts'
import type { Context } from '../services/objects/context.ts'
import { serviceCaller } from '../store/caller.ts'
import { deleteObjects } from '../store/write.ts'

const batch = 200

/** Members of an organization that is just being imported are nobody's yet. */
const isArrived =
  'NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = m.organization_id)'

/**
 * Deletes members a day after their end. Any number of processes may run this at once: each locks rows that
 * no other holds, and deleted rows are not found again. Returns the number of deleted members.
 */
export async function expireMembers(context: Context): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await expireBatch(context).catch(() => undefined)
    // One of them fails, and would fail the next batch again: the others must not wait for it.
    if (deleted === undefined) return total + (await expireApart(context))
    total += deleted
    if (deleted < batch) return total
  }
}

async function expireApart(context: Context): Promise<number> {
  const due = await context.db.query<{ id: string }>(
    `SELECT DISTINCT organization_id AS id FROM members m WHERE auto_delete_at <= $1 AND NOT is_deleted AND ${isArrived}`,
    [context.clock.now()],
  )
  let total = 0
  await eachApart(due, async ({ id }) => {
    total += await expireBatch(context, id)
  })
  return total
}

function expireBatch(context: Context, organization_id?: string): Promise<number> {
  return context.db.transaction(async db => {
    const now = context.clock.now()
    const ofOne = organization_id === undefined ? '' : 'AND organization_id = $2'
    const due = await db.query<{ organization_id: string; id: string }>(
      `SELECT organization_id, id FROM members m WHERE auto_delete_at <= $1 AND NOT is_deleted AND ${isArrived} ${ofOne}
       ORDER BY auto_delete_at LIMIT ${batch} FOR UPDATE OF m SKIP LOCKED`,
      organization_id === undefined ? [now] : [now, organization_id],
    )
    for (const [id, members] of Map.groupBy(due, row => row.organization_id))
      await expireOf(db, id, members, now)
    context.metrics.count('gatehouse_members_expired_total', {}, due.length)
    return due.length
  })
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
