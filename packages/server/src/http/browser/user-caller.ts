import type { FastifyRequest } from 'fastify'
import type { Membership } from '../../services/accounts/admission.ts'
import type { Session } from '../../services/accounts/sessions.ts'
import { scopesOf } from '../../services/roles/roles.ts'
import type { Bounds, Caller } from '../../store/caller.ts'
import { readClientInfo } from '../kit/client-info.ts'
import { languageFor } from './chosen-language.ts'

/** A user who acts for an organization. Events that the request writes record this user as their subject. */
export function userCaller(
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
  session: Session,
  organization_id: string,
  membership?: Membership,
  token_hash?: Buffer,
  bounds?: Bounds,
): Caller {
  return {
    organization_id,
    oauth_application_id: undefined,
    user_id: session.user_id,
    scopes: membership ? scopesOf(membership.role) : [],
    features: membership?.features ?? { whitelabel: false },
    language: languageFor(request.headers),
    ...(token_hash && { token_hash }),
    ...(bounds && { bounds }),
    subject: () => ({
      user_id: session.user_id,
      ip_address: request.ip,
      client: readClientInfo(request.headers['user-agent']),
    }),
  }
}
