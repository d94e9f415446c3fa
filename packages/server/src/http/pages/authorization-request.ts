import type { Session } from '../../services/accounts/sessions.ts'
import type { UserOrganization } from '../../services/organizations/user-organizations.ts'

/** An application's authorization request, and the user who is asked. */
export interface AuthorizationRequest {
  readonly uid: string
  readonly application: { readonly id: string; readonly name: string; readonly has_logo: boolean }
  readonly scopes: readonly string[]
  readonly redirect_uri: string
  readonly session: Session
  readonly organizations: readonly UserOrganization[]
}
