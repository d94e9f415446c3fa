import type { Row } from '../../database/db.ts'
import { checkAccess, listGadgetsWithAccess, listMembersWithAccess } from '../../services/access/access.ts'
import { issueCredentials, revokeCredentials } from '../../services/access/device-credentials.ts'
import { executeAsMember, runGadgetAction } from '../../services/access/gadget-actions.ts'
import { simulateDevice } from '../../services/access/simulate.ts'
import { showSync } from '../../services/access/sync.ts'
import { issueStreamTicket } from '../../services/applications/stream-tickets.ts'
import { replayEvents, retryDelivery, testWebhook } from '../../services/applications/webhook-deliveries.ts'
import { createGrant } from '../../services/guests/grants.ts'
import { inviteGuest } from '../../services/guests/invitations.ts'
import { revealMagicLink, revealMemberPin } from '../../services/members/reveals.ts'
import type { ActionInput } from '../../services/objects/action.ts'

/** What the declared actions do, by endpoint id. A test holds this list against the declarations. */
export const actions: Record<string, (input: ActionInput) => Promise<Row>> = {
  'member_magic_link.reveal': revealMagicLink,
  'member_pin.reveal': revealMemberPin,
  'device.issue_credentials': issueCredentials,
  'device.revoke_credentials': revokeCredentials,
  'device.simulate': simulateDevice,
  'grant.create': createGrant,
  'member.invite': inviteGuest,
  'gadget.run_action': runGadgetAction,
  'gadget.execute_as_member': executeAsMember,
  'event.issue_stream_ticket': issueStreamTicket,
  'webhook.test': testWebhook,
  'webhook.replay': replayEvents,
  'webhook_delivery.retry': retryDelivery,
}

/** What the declared queries answer, by endpoint id. */
export const queries: Record<string, (input: ActionInput) => Promise<object>> = {
  'access_check.create': checkAccess,
  'gadget.access': listMembersWithAccess,
  'member.access': listGadgetsWithAccess,
  'member.sync': showSync,
}
