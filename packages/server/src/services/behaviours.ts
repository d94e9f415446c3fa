import { alarmRuleBehaviour } from './alarms/alarm-rules.ts'
import { notificationTargetBehaviour } from './alarms/notification-targets.ts'
import { webhookBehaviour } from './applications/webhooks.ts'
import { calendarDayBehaviour } from './calendars/calendar-days.ts'
import { calendarBehaviour } from './calendars/calendars.ts'
import { emergencyBehaviour } from './doors/emergencies.ts'
import { emergencyPlanBehaviour } from './doors/emergency-plans.ts'
import { unlockRuleBehaviour } from './doors/unlock-rules.ts'
import { legalHoldBehaviour } from './erasures/legal-holds.ts'
import { cardBehaviour } from './members/cards.ts'
import { memberCardBehaviour } from './members/member-cards.ts'
import { memberEmailBehaviour } from './members/member-emails.ts'
import { memberGroupAssociationBehaviour } from './members/member-group-associations.ts'
import { memberGroupBehaviour } from './members/member-groups.ts'
import { memberMagicLinkBehaviour } from './members/member-magic-links.ts'
import { memberPinBehaviour } from './members/member-pins.ts'
import { memberTokenBehaviour } from './members/member-tokens.ts'
import { memberBehaviour } from './members/members.ts'
import type { Behaviours } from './objects/context.ts'
import { tagBehaviour } from './objects/tags.ts'
import { deviceBehaviour } from './places/devices.ts'
import { gadgetTriggerBehaviour } from './places/gadget-triggers.ts'
import { gadgetBehaviour } from './places/gadgets.ts'
import { scheduleBehaviour } from './places/schedules.ts'
import { siteBehaviour } from './places/sites.ts'
import { organizationBehaviour } from './privacy/organizations.ts'

/** The behavior of each kind beyond storage. Kinds that are not listed are only stored. */
export const behaviours: Behaviours = {
  alarm_rule: alarmRuleBehaviour,
  calendar: calendarBehaviour,
  calendar_day: calendarDayBehaviour,
  card: cardBehaviour,
  device: deviceBehaviour,
  emergency: emergencyBehaviour,
  emergency_plan: emergencyPlanBehaviour,
  gadget: gadgetBehaviour,
  gadget_trigger: gadgetTriggerBehaviour,
  legal_hold: legalHoldBehaviour,
  member: memberBehaviour,
  member_card: memberCardBehaviour,
  member_email: memberEmailBehaviour,
  member_group: memberGroupBehaviour,
  member_group_association: memberGroupAssociationBehaviour,
  member_magic_link: memberMagicLinkBehaviour,
  member_pin: memberPinBehaviour,
  member_token: memberTokenBehaviour,
  notification_target: notificationTargetBehaviour,
  organization: organizationBehaviour,
  schedule: scheduleBehaviour,
  site: siteBehaviour,
  tag: tagBehaviour,
  unlock_rule: unlockRuleBehaviour,
  webhook: webhookBehaviour,
}
