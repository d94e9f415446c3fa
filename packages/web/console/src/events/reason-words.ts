import type { DenialReason } from '@gatehouse-access/core'
import { t } from '../language/t.ts'

/** The reasons for a denial, in the words of front-desk staff. */
const reasonWords: Record<DenialReason, string> = {
  unknown_credential: t('No member has this PIN, card or link.'),
  credential_deleted: t('This PIN, card or link was deleted.'),
  gadget_deleted: t('The door was deleted.'),
  member_deleted: t('The member was deleted.'),
  member_not_started: t('Access has not started yet.'),
  member_ended: t('Access has ended.'),
  member_suspended: t('The member is suspended.'),
  credential_suspended: t('This PIN, card or link is suspended.'),
  device_suspended: t('The keypad and the reader of this device are suspended.'),
  no_association: t('The member is not in any group.'),
  association_not_started: t('Access through the group has not started yet.'),
  association_ended: t('Access through the group has ended.'),
  group_deleted: t('The group was deleted.'),
  no_matching_rule: t('No rule gives access to this door.'),
  method_not_allowed: t('This way of opening is not allowed.'),
  outside_schedule: t('Access is not allowed at this time.'),
  not_present: t('The phone is not near the site.'),
  supervisor_absent: t('The door stays closed until the first authorized person has come.'),
  lockdown: t('The door is locked down, and no group of the member is exempt.'),
  clock_unsure: t('The device’s clock is not set, so it cannot check times.'),
  keypad_paused: t('The keypad is paused after too many wrong PINs.'),
  pass_invalid: t('The phone’s pass is not valid for this door.'),
  pass_expired: t('The phone’s pass has expired.'),
  hardware_failed: t('Access was allowed, but the door did not open.'),
  unreachable: t('Access was allowed, but the door could not be reached.'),
}

/** Handles unknown reasons too, because the service may be newer than this page. */
export function reasonText(reason: string | null | undefined): string {
  if (!reason) return t('No reason was given.')
  return Object.hasOwn(reasonWords, reason) ? reasonWords[reason as DenialReason] : t(`Reason: ${reason}.`)
}

const reasonsOfTime: ReadonlySet<string> = new Set<DenialReason>([
  'member_not_started',
  'member_ended',
  'association_not_started',
  'association_ended',
  'outside_schedule',
])

/** Whether the time decided, so that a later one may be allowed. */
export function isOfTime(reason: string | null | undefined): boolean {
  return reasonsOfTime.has(reason ?? '')
}
