import type Provider from 'oidc-provider'
import { scopes as knownScopes } from '../../oauth/scopes.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import { findApplicationHead } from '../../services/applications/applications.ts'
import { isUseful } from '../../services/applications/authorizations.ts'
import { listLivingOrganizations } from '../../services/organizations/user-organizations.ts'
import { html } from '../../texts/html.ts'
import { go, show } from './answer.ts'
import { askPage } from './ask.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { grantAccess } from './grant-access.ts'
import type { Visit } from './visit.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * The steps of an authorization, all at /authorize/{uid}, which the engine's cookie binds to this browser:
 * sign in → choose the organization (skipped if there is only one) → allow or deny → back to the engine.
 */
export async function showAuthorize(visit: Visit): Promise<void> {
  const interaction = await findInteraction(visit)
  const { session, query } = visit
  if (!session || mustSignInAnew(interaction, session))
    return go(visit, `/sign-in?return_to=${encodeURIComponent(`/authorize/${interaction.uid}`)}`)
  const asked = await readAsked(visit, interaction, session)
  if (!isUseful(asked.scopes)) return finish(visit, invalidScope)
  show(visit, askPage(visit, asked, query.organization_id), { leads_to: asked.redirect_uri ?? '' })
}

export async function takeAuthorize(visit: Visit): Promise<void> {
  const interaction = await findInteraction(visit)
  const { session, form } = visit
  if (form.decision === 'deny') return finish(visit, denied)
  if (!session || mustSignInAnew(interaction, session)) return go(visit, `/authorize/${interaction.uid}`)
  const asked = await readAsked(visit, interaction, session)
  if (form.decision !== 'allow')
    return go(
      visit,
      `/authorize/${interaction.uid}?organization_id=${encodeURIComponent(form.organization_id ?? '')}`,
    )
  await finish(visit, await allow(visit, asked, form.organization_id ?? ''))
}

const denied = { error: 'access_denied', error_description: 'the user denied the request' }
const invalidScope = {
  error: 'invalid_scope',
  error_description:
    'ask for full_read_write, full_read_only, members, members:read, devices, events:read or actions, and for offline to get a refresh token',
}

/** Returns the result for the engine. */
async function allow(visit: Visit, asked: AuthorizationRequest, organization_id: string): Promise<object> {
  const granted = await grantAccess(visit, asked, organization_id)
  if (!granted) return denied
  return {
    login: { accountId: granted.account, remember: false },
    select_account: {},
    consent: { grantId: granted.grant_id },
  }
}

async function findInteraction({ engine, request, reply }: Visit): Promise<Interaction> {
  const provider = await engine()
  return provider.interactionDetails(request.raw, reply.raw)
}

/** Redirects to the engine. Only the browser that started the authorization can follow. */
async function finish({ engine, request, reply }: Visit, result: object): Promise<void> {
  const provider = await engine()
  const location = await provider.interactionResult(request.raw, reply.raw, result as never, {
    mergeWithLastSubmission: false,
  })
  go({ reply }, location)
}

function mustSignInAnew({ params, iat }: Interaction, session: Session): boolean {
  const is_asked = String(params.prompt ?? '')
    .split(' ')
    .includes('login')
  return is_asked && Date.parse(session.created_at) / 1000 < iat
}

async function readAsked(
  { context }: Visit,
  interaction: Interaction,
  session: Session,
): Promise<AuthorizationRequest> {
  const { client_id, scope, redirect_uri } = interaction.params as Record<string, string | undefined>
  const application = await findApplicationHead(context.db, client_id ?? '')
  const requested = scope?.split(' ') ?? []
  const page = `/authorize/${interaction.uid}`
  return {
    page,
    action: page,
    hidden: html``,
    application: application ?? { id: '', name: '', has_logo: false },
    scopes: knownScopes.filter(known => requested.includes(known)),
    redirect_uri: redirect_uri ?? '',
    session,
    organizations: await listLivingOrganizations(context, session.user_id),
  }
}
