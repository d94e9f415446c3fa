import type { Resource } from '../kit/resource.ts'
import { gadgetAccess, memberAccess } from './access.ts'
import { alarm } from './alarm.ts'
import { alarmRule } from './alarm-rule.ts'
import { calendar } from './calendar.ts'
import { calendarDay } from './calendar-day.ts'
import { card } from './card.ts'
import { device } from './device.ts'
import { emergency, emergencyDoor } from './emergency.ts'
import { emergencyPlan } from './emergency-plan.ts'
import { erasure } from './erasure.ts'
import { event } from './event.ts'
import { gadget } from './gadget.ts'
import { gadgetTrigger } from './gadget-trigger.ts'
import { job } from './job.ts'
import { legalHold } from './legal-hold.ts'
import { member } from './member.ts'
import { memberCard } from './member-card.ts'
import { memberEmail } from './member-email.ts'
import { memberGroup } from './member-group.ts'
import { memberGroupAssociation } from './member-group-association.ts'
import { memberMagicLink } from './member-magic-link.ts'
import { memberPin } from './member-pin.ts'
import { memberToken } from './member-token.ts'
import { notification } from './notification.ts'
import { notificationTarget } from './notification-target.ts'
import { oauthApplication } from './oauth-application.ts'
import { organization } from './organization.ts'
import { product } from './product.ts'
import { schedule } from './schedule.ts'
import { site } from './site.ts'
import { tag } from './tag.ts'
import { unlockRule } from './unlock-rule.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'
import { webhookDelivery } from './webhook-delivery.ts'

export const resources = {
  organization,
  site,
  product,
  device,
  gadget,
  gadget_trigger: gadgetTrigger,
  member,
  member_email: memberEmail,
  member_magic_link: memberMagicLink,
  member_pin: memberPin,
  member_card: memberCard,
  member_token: memberToken,
  member_group_association: memberGroupAssociation,
  member_group: memberGroup,
  schedule,
  calendar,
  calendar_day: calendarDay,
  unlock_rule: unlockRule,
  emergency_plan: emergencyPlan,
  emergency,
  alarm,
  alarm_rule: alarmRule,
  notification_target: notificationTarget,
  notification,
  job,
  erasure,
  legal_hold: legalHold,
  card,
  tag,
  event,
  webhook,
  webhook_delivery: webhookDelivery,
  user,
  oauth_application: oauthApplication,
  member_access: memberAccess,
  gadget_access: gadgetAccess,
  emergency_door: emergencyDoor,
} as const

export type Resources = typeof resources
export type ResourceKind = keyof Resources

export function resourceOf(kind: string): Resource {
  return resources[kind as ResourceKind]
}
