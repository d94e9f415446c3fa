import { RequestError } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { requireRole } from './roles.ts'

/** For what only an owner decides, signed in: no application can do it, whatever its scopes. */
export async function requireOwner({ db, caller }: Pick<Work, 'db' | 'caller'>, what: string): Promise<void> {
  if (caller.user_id === undefined || caller.oauth_application_id !== undefined)
    throw new RequestError('permission_denied', `only an owner can ${what}, signed in to the console`, {
      args: { reason: 'owner_session_only', role: 'owner' },
    })
  await requireRole(db, caller.organization_id, caller.user_id, 'owner')
}
