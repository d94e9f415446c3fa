import { RequestError } from '@gatehouse-access/api'
import { groupsAt } from '@gatehouse-access/core'
import type { Bounds } from '../../store/caller.ts'
import type { Context, Work } from '../objects/context.ts'

/** Finds out what a role that is limited to these sites can see now, from a policy that includes everything committed. */
export async function findBounds(
  { policies }: Pick<Context, 'policies'>,
  organization_id: string,
  site_ids: readonly string[],
): Promise<Bounds> {
  const { reaching, confined, schedules, gadgets, tags } = await policies.ask(organization_id, policy =>
    groupsAt(policy, site_ids),
  )
  return {
    site_ids,
    gadget_ids: new Set(gadgets),
    tag_ids: new Set(tags),
    schedule_ids: schedules,
    member_group_ids: reaching,
    confined_group_ids: new Set(confined),
  }
}

export function beyondSites(message: string): RequestError {
  return new RequestError('permission_denied', message, { args: { reason: 'beyond_sites' } })
}

/** Who is in the group gets into other sites too: that is not for somebody of these sites to decide. */
export function requireConfinedGroup({ caller }: Pick<Work, 'caller'>, member_group_id: string): void {
  if (!caller.bounds || caller.bounds.confined_group_ids.has(member_group_id)) return
  throw beyondSites('this group also opens doors at other sites; ask an administrator')
}

/** What opens doors for a member, or no longer does, would do so at other sites too. */
export async function requireConfinedMember(
  { db, caller }: Pick<Work, 'db' | 'caller'>,
  member_id: string,
): Promise<void> {
  if (!caller.bounds) return
  const elsewhere = await db.query(
    `SELECT 1 FROM member_group_associations a JOIN member_groups g ON g.organization_id = a.organization_id AND g.id = a.member_group_id AND NOT g.is_deleted
     WHERE a.organization_id = $1 AND a.member_id = $2 AND NOT a.is_deleted AND a.member_group_id <> ALL($3::text[]) LIMIT 1`,
    [caller.organization_id, member_id, [...caller.bounds.confined_group_ids]],
  )
  if (elsewhere.length > 0)
    throw beyondSites('this member also has access at other sites; ask an administrator')
}
