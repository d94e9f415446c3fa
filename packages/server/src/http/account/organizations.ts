import { choice, email, flag, list, nameText, optional, reference, required } from '@gatehouse-access/api'
import { foundOrganization, templates } from '../../demo/test-organization.ts'
import { requireRecent, requireSecondFactor } from '../../services/accounts/admission.ts'
import {
  deauthorizeApplication,
  listInstalledApplications,
  withdrawConsent,
} from '../../services/applications/authorizations.ts'
import { listOwnApplications } from '../../services/applications/own-applications.ts'
import {
  answerInvitation,
  countInvitation,
  findOwnInvitation,
  invite,
  listInvitations,
  listOwnInvitations,
  sendInvitation,
  withdrawInvitation,
} from '../../services/organizations/invitations.ts'
import { withLogo } from '../../services/organizations/logos.ts'
import {
  deleteOrganization,
  renameOrganization,
  restoreOrganization,
  setLogo,
} from '../../services/organizations/organization-life.ts'
import {
  changeRole,
  listUsers,
  removeUser,
  transferOwnership,
} from '../../services/organizations/organization-users.ts'
import { tellOwners } from '../../services/organizations/pass-on.ts'
import { signOutOfOrganization } from '../../services/organizations/user-administration.ts'
import { listOrganizations } from '../../services/organizations/user-organizations.ts'
import { roles } from '../../services/roles/roles.ts'
import { userCaller } from '../browser/user-caller.ts'
import { idOf } from '../kit/path-and-query.ts'
import { logoPart, readLogo } from './logo.ts'
import { changeIn, readBody, requireMember, type Visit } from './visit.ts'

const name = required(nameText, 'Its name.')

export async function getOrganizations({ context, session }: Visit): Promise<object> {
  const organizations = await listOrganizations(context.db, session.user_id)
  return { data: organizations.map(held => withLogo(context, held)) }
}

export async function createOrganization(visit: Visit): Promise<object> {
  const { context, request, session } = visit
  const body = readBody(visit, {
    name,
    template: optional(choice(...templates), 'Template to fill it with.'),
  })
  const callerIn = (id: string) => userCaller(request, session, id)
  const id = await foundOrganization(context, callerIn, session.user_id, body.name, body.template)
  return { id, name: body.name, role: 'owner', is_test: body.template !== undefined }
}

export async function editOrganization(visit: Visit): Promise<object> {
  const body = readBody(visit, {
    name: optional(nameText, 'Its name.'),
    requires_second_factor: optional(flag, 'Whether its users need a passkey or an authenticator app.'),
    logo: logoPart,
  })
  const { requires_second_factor } = body
  const logo = typeof body.logo === 'string' ? readLogo(body.logo) : body.logo
  if (requires_second_factor !== undefined) await changeSecurity(visit, requires_second_factor)
  if (logo !== undefined) await changeIn(visit, 'administrator', work => setLogo(work, logo))
  return changeIn(visit, 'administrator', work => renameOrganization(work, body.name))
}

async function changeSecurity(visit: Visit, is_required: boolean): Promise<void> {
  await changeIn(visit, 'owner', work => requireSecondFactor(work, visit.session, is_required))
}

/** Invalidates the user's sessions for this organization. The user can sign in again. */
export async function signUserOut(visit: Visit): Promise<object> {
  const user_id = idOf(visit, 'user_id')
  await changeIn(visit, 'administrator', (work, role) => signOutOfOrganization(work, role, user_id))
  return {}
}

export async function removeOrganization(visit: Visit): Promise<object> {
  const organization = await changeIn(visit, 'owner', work => deleteOrganization(work))
  return organization
}

export async function bringOrganizationBack(visit: Visit): Promise<object> {
  const organization = await changeIn(visit, 'owner', work => restoreOrganization(work))
  return organization
}

const site_ids = optional(
  list(reference('site'), { max: 1000, unique: true }),
  'The sites that the role is limited to, if it is for sites: not of an owner, administrator or viewer. All of them if it is left out.',
)

const keep_applications = optional(
  list(reference('oauth_application'), { max: 1000, unique: true }),
  'Applications of this user that keep their access; the others lose it.',
)

/** Lists the applications that would end if the user is removed, so that clients can ask beforehand. */
export async function getUserApplications(visit: Visit): Promise<object> {
  await requireMember(visit, 'administrator')
  const [organization_id, user_id] = [idOf(visit, 'organization_id'), idOf(visit, 'user_id')]
  return { data: await listOwnApplications(visit.context.db, organization_id, user_id) }
}

export async function leaveOrganization(visit: Visit): Promise<object> {
  readBody(visit, {})
  return removeAndTell(visit, visit.session.user_id, 'any', [])
}

export async function deleteUser(visit: Visit): Promise<object> {
  const { keep_applications: keep = [] } = readBody(visit, { keep_applications })
  return removeAndTell(visit, idOf(visit, 'user_id'), 'administrator', keep)
}

async function removeAndTell(
  visit: Visit,
  user_id: string,
  least: 'any' | 'administrator',
  keep: readonly string[],
): Promise<object> {
  const { ended, passed } = await changeIn(visit, least, (work, role) =>
    removeUser(work, role, user_id, keep),
  )
  await tellOwners(visit.context, idOf(visit, 'organization_id'), passed)
  return { ended_applications: ended }
}

export async function transferOrganization(visit: Visit): Promise<object> {
  const { user_id } = readBody(visit, { user_id: required(reference('user'), 'The user who becomes owner.') })
  await changeIn(visit, 'owner', work => {
    requireRecent(visit.context, visit.session)
    return transferOwnership(work, visit.session.user_id, user_id)
  })
  return {}
}

export async function getUsers(visit: Visit): Promise<object> {
  const role = await requireMember(visit)
  return { data: await listUsers(visit.context.db, idOf(visit, 'organization_id'), role) }
}

export async function editRole(visit: Visit): Promise<object> {
  const body = readBody(visit, {
    role: required(choice(...roles), 'The role.'),
    site_ids,
    keep_applications,
  })
  const id = idOf(visit, 'user_id')
  const position = { role: body.role, site_ids: body.site_ids ?? null }
  const { ended, passed } = await changeIn(visit, 'administrator', (work, own) => {
    if (body.role === 'owner' && own === 'owner') requireRecent(visit.context, visit.session)
    return changeRole(work, own, id, position, body.keep_applications)
  })
  await tellOwners(visit.context, idOf(visit, 'organization_id'), passed)
  return { id, ...position, ended_applications: ended }
}

export async function getInvitations(visit: Visit): Promise<object> {
  await requireMember(visit, 'administrator')
  const { context, ids } = visit
  return { data: await listInvitations(context.db, idOf({ ids }, 'organization_id'), context.clock.now()) }
}

export async function createInvitation(visit: Visit): Promise<object> {
  const body = readBody(visit, {
    email: required(email, 'Email address to invite.'),
    role: required(choice(...roles), 'The role.'),
    site_ids,
  })
  const own_role = await requireMember(visit, 'administrator')
  if (body.role === 'owner' && own_role === 'owner') requireRecent(visit.context, visit.session)
  await countInvitation(visit.context, idOf(visit, 'organization_id'), body.email)
  const invitation = await changeIn(visit, 'administrator', (work, own) =>
    invite(work, own, body.email, { role: body.role, site_ids: body.site_ids ?? null }),
  )
  await sendInvitation(visit.context, visit.voice, visit.session, invitation)
  return invitation
}

export async function deleteInvitation(visit: Visit): Promise<object> {
  await changeIn(visit, 'administrator', work => withdrawInvitation(work, idOf(visit, 'invitation_id')))
  return {}
}

export async function getOwnInvitations({ context, session }: Visit): Promise<object> {
  return { data: await listOwnInvitations(context, session) }
}

export function acceptInvitation(visit: Visit): Promise<object> {
  return answer(visit, true)
}

export function declineInvitation(visit: Visit): Promise<object> {
  return answer(visit, false)
}

async function answer({ context, request, session, ids }: Visit, is_accepted: boolean): Promise<object> {
  const id = idOf({ ids }, 'invitation_id')
  const { organization_id } = await findOwnInvitation(context, session, id)
  const caller = userCaller(request, session, organization_id)
  await context.db.transaction(db =>
    answerInvitation({ context, db, caller, now: context.clock.now() }, id, is_accepted),
  )
  return { organization_id }
}

export async function getInstalledApplications(visit: Visit): Promise<object> {
  await requireMember(visit)
  const { context, session, ids } = visit
  return {
    data: await listInstalledApplications(context.db, idOf({ ids }, 'organization_id'), session.user_id),
  }
}

/** The application's tokens are invalid when this returns; other processes follow within a second. */
export async function deleteInstallation(visit: Visit): Promise<object> {
  const application_id = idOf(visit, 'application_id')
  await changeIn(visit, 'viewer', (work, role) =>
    role === 'viewer' ? withdrawConsent(work, application_id) : deauthorizeApplication(work, application_id),
  )
  return {}
}
