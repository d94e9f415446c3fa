import { optional, required } from '../kit/compounds.ts'
import { one } from '../kit/expand.ts'
import { field, identity, lifecycle, metadataField } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'
import { flag, reference, text, timestamp } from '../kit/scalars.ts'
import { printedCode, uid } from './card.ts'
import { suspendableCredential } from './suspension.ts'

function ofCard(column: string) {
  return { field: 'card_id', kind: 'card', column } as const
}

export const memberCard = resource({
  kind: 'member_card',
  plural: 'member_cards',
  path: '/cards',
  parent: 'member',
  about: 'A card assigned to a member. A card belongs to at most one member at a time.',
  verbs: ['list', 'create', 'get', 'edit', 'delete'],
  search: { fields: ['card_id'], through: 'card' },
  expands: { member: one('member'), card: one('card') },
  actions: {
    replace: {
      method: 'POST',
      path: '/replace',
      about:
        'Reports the card lost and gives the member another one, in one step: either both happen or nothing. Returns the new card of the member. The body has exactly one of card_id, uid and printed_code.',
      scope: 'write',
      body: {
        card_id: optional(reference('card'), 'The new card.'),
        uid: optional(uid, 'UID of the new card. An unknown UID creates the card.'),
        printed_code: optional(printedCode, 'Printed code of the new card.'),
        lost_reason: optional(text(500), 'How the old card was lost.'),
      },
      answer: 'object',
    },
    lost: {
      method: 'POST',
      path: '/lost',
      about:
        'Reports the card lost, so that it is taken from the member, or says that it was found. Only for the member who had it last.',
      scope: 'write',
      body: {
        is_lost: required(flag, 'True: it is lost. False: it was found, and belongs to nobody.'),
        lost_reason: optional(text(500), 'How it was lost.'),
      },
      answer: 'object',
    },
  },
  policy: { rows: 'credentials', kind: 'card', lives_with: 'card_id' },
  fields: {
    ...identity('member_card'),
    member_id: field(reference('member'), { about: 'The member it is assigned to.', engine: true }),
    card_id: field(reference('card'), {
      about: 'The card. A create needs one of card_id, uid and printed_code.',
      create: 'optional',
    }),
    uid: field(uid, {
      personal: 'technical',
      about: "The card's UID. An unknown UID creates the card.",
      example: '04A1B2C3D4E5F6',
      create: 'optional',
      nullable: true,
      through: ofCard('uid'),
    }),
    printed_code: field(printedCode, {
      personal: 'technical',
      about: "The card's printed code.",
      example: 'GH-000123',
      create: 'optional',
      nullable: true,
      through: ofCard('printed_code'),
    }),
    name: field(text(255), {
      personal: 'free',
      about: "The card's name.",
      example: 'Staff card 12',
      nullable: true,
      through: ofCard('name'),
    }),
    is_claimed: field(flag, {
      about: 'True while neither the assignment nor the member is deleted, so that the card is taken.',
      hidden: true,
      initial: true,
    }),
    ...suspendableCredential(),
    last_used_at: field(timestamp, { about: 'When it was last used.', nullable: true }),
    ...lifecycle(),
    metadata: metadataField(),
  },
})
