import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { localId, reference, timestamp } from '../kit/scalars.ts'
import type { Type } from '../kit/type.ts'

const parts = {
  source_gadget_id: required(reference('gadget'), 'The gadget that has the contact. One of the site.'),
  source_state_id: required(localId, 'Its state while there is a fire.'),
  release_gadget_ids: optional(
    list(reference('gadget'), { max: 500, unique: true }),
    'Doors of the site that are held open as well. Those with electric egress always are.',
  ),
}
const parsed = shape(parts)
const held = {
  ...parts,
  since: nullable(
    timestamp,
    'Since when there is a fire. It lasts until it is reset, also after the contact has cleared.',
  ),
  cleared_at: nullable(timestamp, 'When the contact cleared. Then the fire can be reset.'),
  reset_at: nullable(timestamp, 'When the last fire was reset.'),
}
export type SiteFireValue = Shape<typeof held>

/** What a body says, and beside it how things are. The latter is the service's alone. */
export const siteFire: Type<SiteFireValue> = {
  ...parsed,
  parse: (value, path) => ({ release_gadget_ids: [], ...parsed.parse(value, path) }),
}
export const shownFire = shape(held) as Type<unknown>

export const fireReset = {
  method: 'POST',
  path: '/fire_reset',
  about:
    'Ends the fire, once its contact has cleared: the doors go back to what else is set. Without a fire, nothing changes.',
  scope: 'write',
  body: {},
  answer: 'object',
} as const satisfies Action
