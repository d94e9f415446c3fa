import { webhookBehaviour } from './applications/webhooks.ts'
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

/** The behavior of each kind beyond storage. Kinds that are not listed are only stored. */
export const behaviours: Behaviours = {
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
  site: siteBehaviour,
  tag: tagBehaviour,
  webhook: webhookBehaviour,
}
