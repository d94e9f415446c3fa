import { nameText, required } from '@gatehouse-access/api'
import { findRefusal, requireRecent } from '../../services/accounts/admission.ts'
import { endSession } from '../../services/accounts/sessions.ts'
import { renameUser } from '../../services/accounts/users.ts'
import { deleteUser } from '../../services/organizations/delete-user.ts'
import { withLogo } from '../../services/organizations/logos.ts'
import { administersOnly } from '../../services/organizations/only-organization.ts'
import { listOrganizations } from '../../services/organizations/user-organizations.ts'
import { userCaller } from '../browser/user-caller.ts'
import { readBody, type Visit } from './visit.ts'

/** Returns the signed-in user and the CSRF token that their requests must carry. */
export async function getSession({ context, service, request, session }: Visit): Promise<object> {
  const { user_id, email, name, expires_at } = session
  const organizations = await listOrganizations(context.db, user_id)
  const told = context.backup_health.tell()
  const backups = told && (await administersOnly(context.db, organizations)) ? told : undefined
  return {
    id: session.id,
    user: { id: user_id, email, name },
    method: session.method,
    csrf_token: service.sessions.csrfToken(request),
    organizations: organizations.map(held => ({
      ...withLogo(context, held),
      refusal: findRefusal(context, session, held) ?? null,
    })),
    expires_at,
    ...(context.recovery.is_on && { recovered: true }),
    ...(backups && { backups }),
  }
}

export async function endOwnSession({ context, session }: Visit): Promise<object> {
  await endSession(context, session.user_id, session.id)
  return {}
}

export async function editUser(visit: Visit): Promise<object> {
  const { context, session } = visit
  const { name } = readBody(visit, { name: required(nameText, 'Name.') })
  await renameUser(context, session.user_id, name)
  return { id: session.user_id, email: session.email, name }
}

export async function deleteOwnUser({ context, session, voice, request }: Visit): Promise<object> {
  requireRecent(context, session)
  await deleteUser(context, voice, session, id => userCaller(request, session, id))
  return {}
}
