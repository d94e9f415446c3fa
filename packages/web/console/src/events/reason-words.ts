import type { DenialReason } from '@gatehouse-access/core'

/** The reasons for a denial, in the words of front-desk staff. */
const reasonWords: Record<DenialReason, string> = {
  unknown_credential: 'No member has this PIN, card or link.',
  credential_deleted: 'This PIN, card or link was deleted.',
  gadget_deleted: 'The door was deleted.',
  member_deleted: 'The member was deleted.',
  member_not_started: 'Access has not started yet.',
  member_ended: 'Access has ended.',
  member_suspended: 'The member is suspended.',
  credential_suspended: 'This PIN, card or link is suspended.',
  device_suspended: 'The keypad and the reader of this device are suspended.',
  no_association: 'The member is not in any group.',
  association_not_started: 'Access through the group has not started yet.',
  association_ended: 'Access through the group has ended.',
  group_deleted: 'The group was deleted.',
  no_matching_rule: 'No rule gives access to this door.',
  method_not_allowed: 'This way of opening is not allowed.',
  outside_schedule: 'Access is not allowed at this time.',
  not_present: 'The phone is not near the site.',
  supervisor_absent: 'The door stays closed until the first authorized person has come.',
  lockdown: 'The door is locked down, and no group of the member is exempt.',
  clock_unsure: 'The device’s clock is not set, so it cannot check times.',
  keypad_paused: 'The keypad is paused after too many wrong PINs.',
  pass_invalid: 'The phone’s pass is not valid for this door.',
  pass_expired: 'The phone’s pass has expired.',
  hardware_failed: 'Access was allowed, but the door did not open.',
  unreachable: 'Access was allowed, but the door could not be reached.',
}

/** Handles unknown reasons too, because the service may be newer than this page. */
export function reasonText(reason: string | null | undefined): string {
  if (!reason) return 'No reason was given.'
  return Object.hasOwn(reasonWords, reason) ? reasonWords[reason as DenialReason] : `Reason: ${reason}.`
}
