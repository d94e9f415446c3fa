/** A key of the organization. The key itself is shown once, when it is made. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  /** The last characters of the key. */
  readonly hint: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export function keysPath(organization_id: string): string {
  return `/organizations/${organization_id}/api_keys`
}
