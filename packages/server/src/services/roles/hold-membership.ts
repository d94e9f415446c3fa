import { RequestError } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

/** Locks the caller's membership until the transaction ends. A removal waits and then sees the changes. */
export async function holdMembership({ db, caller }: Work): Promise<void> {
  const rows = await db.query(
    'SELECT 1 FROM organization_users WHERE organization_id = $1 AND user_id = $2 FOR SHARE',
    [caller.organization_id, caller.user_id],
  )
  if (rows.length === 0) throw new RequestError('not_found', 'there is no organization with this id')
}
