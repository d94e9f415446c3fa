import type { EventSubject } from '@gatehouse-access/api'

/** The author of a request: an application or a user of one organization, or the service itself in a job. */
export interface Caller {
  readonly organization_id: string
  readonly oauth_application_id: string | undefined
  readonly user_id: string | undefined
  readonly scopes: readonly string[]
  /** The hash of the access token or of the user's session. Absent if neither is needed. */
  readonly token_hash?: Buffer
  /** The job that acts for the author. Events name it. */
  readonly job_id?: string
  readonly features: { readonly whitelabel: boolean }
  /** Returns how events describe the caller. Built only when something is written. */
  subject(): EventSubject
}

/** Returns the caller for the service itself. The subject of its events has no ids. */
export function serviceCaller(organization_id: string): Caller {
  return {
    organization_id,
    oauth_application_id: undefined,
    user_id: undefined,
    scopes: ['full_read_write'],
    features: { whitelabel: false },
    subject: () => ({}),
  }
}
