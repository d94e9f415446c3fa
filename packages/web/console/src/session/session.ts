import { callAccount } from './account.ts'

export type SiteRole = 'front_desk' | 'installer' | 'site_administrator' | 'site_viewer'
export type Role = 'owner' | 'administrator' | 'viewer' | SiteRole

/** Roles that reach a part of the API, in all sites or some. */
export function isSiteRole(role: Role): role is SiteRole {
  return role !== 'owner' && role !== 'administrator' && role !== 'viewer'
}

export interface Organization {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The sites that the role is limited to. Null for all of the organization. */
  readonly site_ids: readonly string[] | null
  readonly is_test: boolean
  /** Set while the organization is deleted and can still be restored. */
  readonly due_at: string | null
  readonly requires_second_factor: boolean
  /** Of the logo that its mails and guest page show. */
  readonly logo_url: string | null
  /** Why this session may not act for the organization, or null if it may. */
  readonly refusal: Refusal | null
}

export type Refusal = 'second_factor_required' | 'sign_in_again'

export interface Session {
  readonly id: string
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null }
  /** `password` alone, or a stronger method. */
  readonly method: string
  readonly csrf_token: string
  readonly organizations: readonly Organization[]
  readonly expires_at: string
  /** The service was restored from a backup that nobody has confirmed yet: everything is read-only. */
  readonly recovered?: true
  /** For administrators of the only organization of an installation, if backups are made. */
  readonly backups?: { readonly verified_at: string | null; readonly is_failing: boolean }
}

export function loadSession(): Promise<Session> {
  return callAccount<Session>('GET', '/session')
}

/** Returns the address of the sign-in page, which leads back to the current page. */
export function signInHref(): string {
  return `/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`
}

/** For actions that require a recent sign-in, or one with a second factor. */
export function signInAgainHref(how: '1' | 'factor'): string {
  return `${signInHref()}&again=${how}`
}

export function goToSignIn(): void {
  location.assign(signInHref())
}

export async function signOut(session: Session): Promise<void> {
  await callAccount('DELETE', '/session', undefined, session.csrf_token)
  location.assign('/sign-in?return_to=%2F')
}
