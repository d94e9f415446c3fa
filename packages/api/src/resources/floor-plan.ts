import { clearable, nullable, required, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { number, text } from '../kit/scalars.ts'

/** The most bytes of a picture. */
export const largestFloorPlan = 500_000
const dataUrl = text(Math.ceil((largestFloorPlan * 4) / 3) + 64)

export const floorPlan = {
  method: 'GET',
  does: 'query',
  path: '/floor_plan',
  about:
    'The picture of the site on which its gadgets are placed. It is as long the same as `floor_plan_hash`.',
  scope: 'read',
  answer: shape({
    image: nullable(dataUrl, 'A PNG, JPEG or WebP, as a data URL. Null if the site has no floor plan.'),
  }),
} as const satisfies Action

export const setFloorPlan = {
  method: 'POST',
  path: '/floor_plan',
  about:
    'Sets the picture of the site, or removes it. Gadgets keep their places on it: `PATCH /gadgets/{id}` with `plan_position` puts one elsewhere.',
  scope: 'write',
  body: {
    image: clearable(dataUrl, 'A PNG, JPEG or WebP of at most 500 kB, as a data URL. Null removes it.'),
  },
  answer: 'object',
} as const satisfies Action

/** Where a gadget is on the floor plan of its site. */
export const planPosition = shape({
  x: required(number(0, 1), 'How far from the left edge: 0 is there, 1 is the right edge.'),
  y: required(number(0, 1), 'How far from the upper edge: 0 is there, 1 is the lower edge.'),
})
