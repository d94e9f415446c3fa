import { list, required, shape } from '../kit/compounds.ts'
import { integer, text } from '../kit/scalars.ts'

/** Groups of which an answer gives the ids. */
export const mostUsing = 100

/** Who would lose what without an object. */
export const uses = {
  method: 'GET',
  does: 'query',
  path: '/uses',
  about:
    'Counts who has access by this object, now or later: what would be lost if it were deleted. Members who have the same access in another way are counted too.',
  scope: 'read',
  answer: shape({
    member_group_ids: required(
      list(text(64), { max: mostUsing }),
      `The groups with a rule that depends on it (of a group: itself), and those that inherit them, at most ${mostUsing}: those that your role sees, so none for an installer.`,
    ),
    member_group_count: required(integer(0, 2_147_483_647), 'How many groups these are.'),
    member_count: required(integer(0, 2_147_483_647), 'Members in these groups, now or later.'),
    gadget_count: required(
      integer(0, 2_147_483_647),
      'Of a group, schedule or tag: the gadgets that its rules open. Of a site, device or gadget: the gadgets in it.',
    ),
  }),
} as const
