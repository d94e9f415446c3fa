import { checkAccess, listGadgetsWithAccess, listMembersWithAccess } from '../services/access.ts'
import type { ActionInput } from '../services/action.ts'
import { issueCredentials, revokeCredentials } from '../services/device-credentials.ts'
import { executeAsMember, runGadgetAction } from '../services/gadget-actions.ts'
import { createGrant } from '../services/grants.ts'
import { inviteGuest } from '../services/guest-invitations.ts'
import { revealMagicLink, revealMemberPin } from '../services/reveals.ts'
import { issueStreamTicket } from '../services/stream-tickets.ts'
import { replayEvents, retryDelivery, testWebhook } from '../services/webhook-deliveries.ts'
import type { Row } from '../store/db.ts'

/** What the declared actions do, by endpoint id. A test holds this list against the declarations. */
export const actions: Record<string, (input: ActionInput) => Promise<Row>> = {
  'member_magic_link.reveal': revealMagicLink,
  'member_pin.reveal': revealMemberPin,
  'device.issue_credentials': issueCredentials,
  'device.revoke_credentials': revokeCredentials,
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
}
