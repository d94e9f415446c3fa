import type { Resource } from '@gatehouse/api'
import type { Behaviour } from './behaviour.ts'
import { cardBehaviour } from './cards.ts'
import { deviceBehaviour } from './devices.ts'
import { gadgetTriggerBehaviour } from './gadget-triggers.ts'
import { gadgetBehaviour } from './gadgets.ts'
import { memberCardBehaviour } from './member-cards.ts'
import { memberEmailBehaviour } from './member-emails.ts'
import { memberGroupAssociationBehaviour } from './member-group-associations.ts'
import { memberGroupBehaviour } from './member-groups.ts'
import { memberMagicLinkBehaviour } from './member-magic-links.ts'
import { memberPinBehaviour } from './member-pins.ts'
import { memberTokenBehaviour } from './member-tokens.ts'
import { memberBehaviour } from './members.ts'
import { scheduleBehaviour } from './schedules.ts'
import { tagBehaviour } from './tags.ts'
import { webhookBehaviour } from './webhooks.ts'

const none: Behaviour = {}

const behaviours: Partial<Record<Resource['kind'], Behaviour>> = {
  card: cardBehaviour,
  device: deviceBehaviour,
  gadget: gadgetBehaviour,
  gadget_trigger: gadgetTriggerBehaviour,
  member: memberBehaviour,
  member_card: memberCardBehaviour,
  member_email: memberEmailBehaviour,
  member_group: memberGroupBehaviour,
  member_group_association: memberGroupAssociationBehaviour,
  member_magic_link: memberMagicLinkBehaviour,
  member_pin: memberPinBehaviour,
  member_token: memberTokenBehaviour,
  schedule: scheduleBehaviour,
  tag: tagBehaviour,
  webhook: webhookBehaviour,
}

export function behaviourOf(resource: Resource): Behaviour {
  return behaviours[resource.kind] ?? none
}
