export interface Application {
  readonly id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly is_public: boolean
  readonly has_logo: boolean
  readonly has_secret: boolean
  readonly created_at: string
  /** Present only in the responses that created the secret. */
  readonly client_secret?: string
}

export interface Installation {
  readonly organization_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly filter: readonly { readonly [name: string]: string | null }[]
  readonly expand: readonly string[]
  readonly is_enabled: boolean
  readonly disabled_reason: string | null
  readonly created_at: string
  readonly secret?: string
}

export interface Attempt {
  readonly attempted_at: string
  readonly status_code: number | null
  readonly latency: number
  readonly error: string | null
  readonly answer: string | null
}

export interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  readonly attempts: readonly Attempt[]
  readonly next_attempt_at: string | null
  readonly finished_at: string | null
  readonly created_at: string
  readonly event?: { readonly verb: string; readonly object: { readonly type: string } } | null
  /** The body that is sent. Present only when a single delivery is read. */
  readonly payload?: string | null
}

/** Returns the account path of an application's webhooks in an organization, as its developer sees them. */
export function hooksPath(application_id: string, organization_id: string): string {
  return `/applications/${application_id}/organizations/${organization_id}/webhooks`
}

export function installationHref(application_id: string, organization_id: string): string {
  return `/developers/applications/${application_id}/organizations/${organization_id}`
}

export interface InstallationIds {
  readonly application_id: string
  readonly organization_id: string
}
