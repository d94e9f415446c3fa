import type { EventSubject } from '@gatehouse-access/api'
import type { Language } from '../texts/language.ts'

/** What a caller whose role is limited to some sites can see. */
export interface Bounds {
  readonly site_ids: readonly string[]
  readonly gadget_ids: ReadonlySet<string>
  /** The tags of these gadgets. */
  readonly tag_ids: ReadonlySet<string>
  /** The schedules of the rules that open a door of the sites. */
  readonly schedule_ids: readonly string[]
  /** The groups that reach a door of the sites, and those of them that reach no other. */
  readonly member_group_ids: readonly string[]
  readonly confined_group_ids: ReadonlySet<string>
}

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
  /** The language in which a user works in the console. Absent of applications, and of the service. */
  readonly language?: Language
  /** Set if the caller's role is limited to some sites. */
  readonly bounds?: Bounds | undefined
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
