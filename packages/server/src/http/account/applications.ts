import {
  choice,
  flag,
  list,
  nameText,
  optional,
  reference,
  required,
  text,
  tokenScopes,
} from '@gatehouse-access/api'
import { requireRecent } from '../../services/accounts/admission.ts'
import {
  type Application,
  editApplication,
  findApplication,
  listApplications,
  registerApplication,
  rotateSecret,
} from '../../services/applications/applications.ts'
import { authorizeApplication, listInstallationsOf } from '../../services/applications/authorizations.ts'
import { deleteApplication } from '../../services/applications/delete-application.ts'
import { issueDeveloperToken } from '../../services/applications/developer-tokens.ts'
import { idOf } from '../kit/path-and-query.ts'
import { logoPart, readLogo } from './logo.ts'
import { changeIn, readBody, type Visit } from './visit.ts'

const uris = list(text(2048), { max: 50, unique: true })

export async function getApplications({ context, session }: Visit): Promise<object> {
  return { data: await listApplications(context.db, session.user_id) }
}

export function getApplication({ context, session, ids }: Visit): Promise<Application> {
  return findApplication(context.db, session.user_id, idOf({ ids }, 'application_id'))
}

export async function createApplication(visit: Visit): Promise<object> {
  const body = readBody(visit, {
    name: required(nameText, 'Name shown to users when they authorize the application.'),
    redirect_uris: required(uris, 'Where users return after authorizing.'),
    is_public: optional(flag, 'If true, the application has no secret and uses PKCE instead.'),
    requires_pkce: optional(flag, 'true: authorizations without PKCE are refused.'),
  })
  const { name, redirect_uris, is_public = false, requires_pkce = false } = body
  if (!is_public) requireRecent(visit.context, visit.session)
  const values = { name, redirect_uris, is_public, requires_pkce }
  return registerApplication(visit.context, visit.session.user_id, values)
}

export async function changeApplication(visit: Visit): Promise<object> {
  const { id, redirect_uris: before } = await getApplication(visit)
  const { name, redirect_uris, requires_pkce, logo } = readBody(visit, {
    name: optional(nameText, 'Name shown to users when they authorize the application.'),
    redirect_uris: optional(uris, 'Where users return after authorizing.'),
    requires_pkce: optional(flag, 'true: authorizations without PKCE are refused.'),
    logo: logoPart,
  })
  if (redirect_uris?.some(uri => !before.includes(uri))) requireRecent(visit.context, visit.session)
  await editApplication(visit.context, visit.session.user_id, id, {
    ...(name !== undefined && { name }),
    ...(redirect_uris !== undefined && { redirect_uris }),
    ...(requires_pkce !== undefined && { requires_pkce }),
    ...(logo !== undefined && { logo: logo === null ? null : readLogo(logo) }),
  })
  return getApplication(visit)
}

export async function renewSecret(visit: Visit): Promise<object> {
  const application = await getApplication(visit)
  requireRecent(visit.context, visit.session)
  return { ...application, client_secret: await rotateSecret(visit.context, application.id) }
}

export async function removeApplication(visit: Visit): Promise<object> {
  const { context, request, session } = visit
  const { id } = await getApplication(visit)
  await deleteApplication(context, { user_id: session.user_id, ip_address: request.ip }, id)
  return {}
}

export async function getInstallations(visit: Visit): Promise<object> {
  const { id } = await getApplication(visit)
  return { data: await listInstallationsOf(visit.context.db, id) }
}

/** Installs an application of the user in an organization of the user, as the consent page would. */
export async function installApplication(visit: Visit): Promise<object> {
  const { id } = await getApplication(visit)
  const { scopes } = readBody(visit, {
    scopes: required(
      list(choice(...tokenScopes), { min: 1, max: tokenScopes.length, unique: true }),
      'What the application can do there.',
    ),
  })
  requireRecent(visit.context, visit.session)
  await changeIn(visit, 'administrator', (work, role) => authorizeApplication(work, role, id, scopes))
  return {}
}

/** Issues a token for a test organization without the OAuth flow, for the developer console. */
export async function createDeveloperToken(visit: Visit): Promise<object> {
  const { id } = await getApplication(visit)
  const { organization_id } = readBody(visit, {
    organization_id: required(reference('organization'), 'One of your test organizations.'),
  })
  const inside = { ...visit, ids: { ...visit.ids, organization_id } }
  return changeIn(inside, 'administrator', (work, role) => issueDeveloperToken(work, role, id))
}
