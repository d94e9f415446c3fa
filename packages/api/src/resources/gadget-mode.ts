import { doorModes, type Mode, modeSources, overrideLengths } from '@gatehouse-access/core'
import { list, nullable, optional, required, type Shape, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { choice, flag, reference, text, timestamp } from '../kit/scalars.ts'

export const mostEmergencies = 20

const mode = choice(...(Object.keys(doorModes) as Mode[]))
const causeParts = {
  effective: required(mode, 'The mode.'),
  source: required(choice(...modeSources), 'What sets it.'),
  since: nullable(timestamp, 'Since when its source holds. Null if it always has.'),
  until: nullable(timestamp, 'When its source ends by itself. Null if it does not.'),
  unlock_rule_id: nullable(
    reference('unlock_rule'),
    'The rule that unlocks it, or that keeps it closed until the first person has come.',
  ),
  emergency_ids: required(list(reference('emergency'), { max: 64 }), 'The emergencies that set it.'),
}
const modeParts = {
  ...causeParts,
  is_confirmed: required(flag, 'Whether its device has reported that the door is so.'),
  confirmed_at: nullable(timestamp, 'When it did. Null if it has not.'),
}
export const doorMode = shape(modeParts)
export type GadgetMode = Shape<typeof modeParts>

const setParts = {
  mode: required(
    choice('unlocked', 'controlled', 'scheduled'),
    '`unlocked`: held open. `controlled`: locked; credentials release it. `scheduled`: as its unlock rules say.',
  ),
  lasts: optional(
    choice(...overrideLengths),
    'How long. Defaults to `until` with `until`, else to `until_turn` if an unlock rule has the gadget, else to `indefinitely` for `controlled`. An `unlocked` door without a rule needs `until`, or `indefinitely` in so many words.',
  ),
  until: optional(timestamp, 'When it ends, at most 366 days ahead.'),
  reason: optional(text(1000), 'Why, for the record.'),
}
export type ModeBody = Shape<typeof setParts>

export const setMode = {
  method: 'POST',
  path: '/mode',
  about:
    'Unlocks a door, or locks it against its unlock rules (`controlled`), for a while or until further notice; or gives it back to them (`scheduled`). Emergencies and fires go before.',
  scope: 'write',
  body: setParts,
  answer: 'object',
} as const satisfies Action

const stretchParts = {
  from: required(timestamp, 'Start.'),
  to: required(timestamp, 'End, not included.'),
  ...causeParts,
}
const timelineParts = {
  data: required(list(shape(stretchParts), { max: 1000 }), 'The modes in order, without gaps.'),
  is_complete: required(flag, 'False if there are more than 1000 before `to`: continue from the last.'),
}
export type ModesOfGadget = Shape<typeof timelineParts>

export const modesOfGadget = {
  method: 'GET',
  does: 'query',
  path: '/modes',
  about:
    'Previews the modes of a door, with their causes, as far as is known now: nobody has come yet for periods to come, and an emergency without an end lasts.',
  scope: 'read',
  query: {
    from: { type: timestamp, about: 'Start. Defaults to now.' },
    to: { type: timestamp, about: 'End. Defaults to a week after `from`. At most 92 days.' },
  },
  answer: shape(timelineParts),
} as const satisfies Action
