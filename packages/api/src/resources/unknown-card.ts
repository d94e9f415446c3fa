import { list, nullable, required, type Shape, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { flag, text, timestamp } from '../kit/scalars.ts'
import { uid } from './card.ts'

/** Days for which unknown cards are kept. */
export const unknownCardDays = 3
/** How many are kept of one reader. */
export const mostUnknownCards = 50

const parts = {
  uid: required(uid, 'Its UID, by which a member can get it.'),
  seen_at: required(timestamp, 'When it was held to the reader.'),
  gadget_id: nullable(
    text(64),
    'The gadget that it was meant for. Null if the reader opens nothing with a card.',
  ),
  card_id: nullable(text(64), 'The card of the organization with this UID, if there is one.'),
  member_id: nullable(
    text(64),
    'The member who has that card now, and cannot use it here. Null also for roles that are limited to some sites.',
  ),
  is_lost: required(flag, 'Whether that card was reported lost.'),
  is_free: required(flag, 'Whether it can be given to a member: nobody has it, and it is not lost.'),
}
export type UnknownCard = Shape<typeof parts>

const cards = shape({ data: required(list(shape(parts), { max: mostUnknownCards }), 'The cards.') })

export const unknownCards = {
  method: 'GET',
  does: 'query',
  path: '/unknown_cards',
  about: `The last ${mostUnknownCards} cards that were held to this reader and that it does not know, of ${unknownCardDays} days, newest first: to give them to members.`,
  scope: 'read',
  answer: cards,
} as const satisfies Action

export const unknownCardOfEvent = {
  method: 'GET',
  does: 'query',
  path: '/unknown_card',
  about: `The card of a denial, to give it to a member. Empty unless it was an unknown one of the last ${unknownCardDays} days.`,
  scope: 'read',
  answer: cards,
} as const satisfies Action
