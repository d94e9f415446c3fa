import { RequestError } from '@gatehouse/api'
import type { Work } from '../objects/context.ts'

/** Until the transaction ends the caller stays what it is: whoever removes it waits, and then sees what it has done. */
export async function holdMembership({ db, caller }: Work): Promise<void> {
  const rows = await db.query(
    'SELECT 1 FROM organization_users WHERE organization_id = $1 AND user_id = $2 FOR SHARE',
    [caller.organization_id, caller.user_id],
  )
  if (rows.length === 0) throw new RequestError('not_found', 'there is no organization with this id')
}
