import { formatAccount } from '../../oauth/account.ts'
import { requireAdmission } from '../../services/accounts/admission.ts'
import {
  authorizeApplication,
  grantableScopes,
  isUseful,
} from '../../services/applications/authorizations.ts'
import { requireRole } from '../../services/roles/roles.ts'
import { userCaller } from '../browser/user-caller.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Visit } from './visit.ts'

export interface GrantedAccess {
  readonly account: string
  readonly grant_id: string
  readonly scopes: readonly string[]
}

/** Installs the application with the scopes that this user can grant. Returns undefined if that is nothing. */
export async function grantAccess(
  { context, request, engine }: Visit,
  { session, application, scopes: requested }: AuthorizationRequest,
  organization_id: string,
): Promise<GrantedAccess | undefined> {
  const account = formatAccount({ user_id: session.user_id, organization_id })
  const scopes = await context.db.transaction(async db => {
    const role = await requireRole(db, organization_id, session.user_id, 'viewer')
    await requireAdmission(context, db, session, organization_id)
    const granted = grantableScopes(requested, role)
    const caller = userCaller(request, session, organization_id)
    const work = { context, db, caller, now: context.clock.now() }
    if (isUseful(granted)) await authorizeApplication(work, role, application.id, granted)
    return granted
  })
  if (!isUseful(scopes)) return undefined
  const { Grant } = await engine()
  const grant = new Grant({ accountId: account, clientId: application.id })
  grant.addOIDCScope(scopes.join(' '))
  return { account, grant_id: await grant.save(), scopes }
}
