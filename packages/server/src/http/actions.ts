import type { Work } from '../services/behaviour.ts'
import { issueCredentials, revokeCredentials } from '../services/device-credentials.ts'
import { createGrant } from '../services/grants.ts'
import type { Target } from '../services/objects.ts'
import { revealMagicLink, revealMemberPin } from '../services/reveals.ts'
import type { Row } from '../store/db.ts'

export interface ActionInput {
  readonly work: Work
  readonly target: Target
  readonly id: string
  /** Checks and answers the body; called after existence has been checked. */
  readBody(): Row
}

/** What the declared actions do, by endpoint id. A test holds this list against the declarations. */
export const actions: Record<string, (input: ActionInput) => Promise<Row>> = {
  'member_magic_link.reveal': revealMagicLink,
  'member_pin.reveal': revealMemberPin,
  'device.issue_credentials': issueCredentials,
  'device.revoke_credentials': revokeCredentials,
  'grant.create': createGrant,
}
