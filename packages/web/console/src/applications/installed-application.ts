export interface InstalledApplication {
  readonly oauth_application_id: string
  readonly name: string
  readonly has_logo: boolean
  readonly scopes: readonly string[]
  readonly granted_by: string | null
  /** True when this user granted the access. The user may revoke it regardless of role. */
  readonly is_own: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}
