import type { Session } from '../../services/accounts/sessions.ts'
import type { UserOrganization } from '../../services/organizations/user-organizations.ts'
import type { Html } from '../../texts/html.ts'

/** An application's authorization request, and the user who is asked. */
export interface AuthorizationRequest {
  /** The page that asks, for links back to it. */
  readonly page: string
  /** Where its forms go, and what they carry besides the decision. */
  readonly action: string
  readonly hidden: Html
  readonly application: { readonly id: string; readonly name: string; readonly has_logo: boolean }
  readonly scopes: readonly string[]
  /** Where the user is taken afterwards, unless to nowhere. */
  readonly redirect_uri?: string
  /** The terminal that waits for it, by the code that it shows. */
  readonly terminal?: { readonly code: string; readonly address: string }
  readonly session: Session
  readonly organizations: readonly UserOrganization[]
}
