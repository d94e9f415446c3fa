import { invalid, type ModesOfGadget } from '@gatehouse-access/api'
import {
  addSeconds,
  describeMode,
  fromMicroseconds,
  type ListSteps,
  type ModeStretch,
  modesOfDoor,
  type Steps,
  toMicroseconds,
} from '@gatehouse-access/core'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

const day = 86_400
const usual = 7 * day
const longest = 92 * day
const most = 1000

/** `GET /gadgets/{id}/modes`: by the same code that decides. */
export async function previewModes({
  work,
  target,
  id,
  query,
}: InputOf<'gadget', 'modes'>): Promise<ModesOfGadget> {
  const gadget = await getObject(work, target, id)
  if (!gadget.door) throw invalid('door', `the gadget ${id} has no door, so it has no modes`)
  const from = query.from ?? work.now
  const to = query.to ?? addSeconds(from, usual)
  if (to <= from) throw invalid('to', `to ${to} must be after from ${from}`)
  if (to > addSeconds(from, longest)) throw invalid('to', `from ${from} to ${to} is more than 92 days`)
  return work.context.doors.ask(work.caller.organization_id, policy =>
    takeStretches(modesOfDoor(policy, id, toMicroseconds(from), toMicroseconds(to))),
  )
}

function* takeStretches(found: ListSteps<ModeStretch>): Steps<ModesOfGadget> {
  const data: ModesOfGadget['data'] = []
  for (const stretch of found) {
    if (stretch === undefined) yield
    else if (data.length === most) return { data, is_complete: false }
    else data.push(tell(stretch))
  }
  return { data, is_complete: true }
}

function tell({ from, mode, until }: ModeStretch): ModesOfGadget['data'][number] {
  const told = describeMode(mode)
  return {
    from: fromMicroseconds(from),
    to: fromMicroseconds(until),
    ...told,
    emergency_ids: [...told.emergency_ids],
  }
}
