import { invalid } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'
import type { Behaviour, Work } from '../objects/context.ts'
import { checkActions } from './actions-in-use.ts'
import { findPlaced, hasLocalPath } from './local-path.ts'

const fieldsOf = {
  state: ['source_gadget_id', 'source_state_id'],
  signal: ['source_gadget_id', 'source_signal_id'],
  schedule: ['source_schedule_id', 'source_schedule_event'],
} as const
const sourceFields = [
  'source_gadget_id',
  'source_state_id',
  'source_signal_id',
  'source_schedule_id',
  'source_schedule_event',
]

export const gadgetTriggerBehaviour: Behaviour = {
  settle(after) {
    checkSourceFields(after)
    return {}
  },
  beforeCreate: (work, values) => checkEnds(work, values),
  beforeEdit: (work, before, changes) =>
    changes.is_deleted === true ? Promise.resolve({}) : checkEnds(work, { ...before, ...changes }),
}

function checkSourceFields(trigger: Row): void {
  const type = trigger.source_type as keyof typeof fieldsOf
  const wanted: readonly string[] = fieldsOf[type]
  for (const name of sourceFields) {
    if (wanted.includes(name) && trigger[name] === null)
      throw invalid(name, `${name} is required when source_type is ${type}`)
    if (!wanted.includes(name) && trigger[name] !== null)
      throw invalid(name, `${name} must be absent when source_type is ${type}`)
  }
}

/** Both ends exist, have what the trigger names, and reach each other. The trigger is in the site of its target. */
async function checkEnds(work: Work, trigger: Row): Promise<Row> {
  const { source_gadget_id: sourceId, target_gadget_id: targetId } = trigger as {
    source_gadget_id: string | null
    target_gadget_id: string
  }
  await checkActions(work, [
    { field: 'target_action_id', gadget_id: targetId, action_id: trigger.target_action_id as string },
  ])
  if (sourceId !== null) await checkSource(work, sourceId, trigger)
  const placed = await findPlaced(work, [targetId, ...(sourceId === null ? [] : [sourceId])])
  const [source, target] = [placed.get(sourceId ?? targetId), placed.get(targetId)]
  if (!source || !target || !hasLocalPath(source, target))
    throw invalid(
      'source_gadget_id',
      `gadgets ${sourceId} and ${targetId} need one site and a local path: the same device, the same gateway, or both virtual`,
    )
  return { site_id: target.site_id }
}

async function checkSource(work: Work, gadgetId: string, trigger: Row): Promise<void> {
  const [list, field] =
    trigger.source_type === 'state'
      ? (['states', 'source_state_id'] as const)
      : (['signals', 'source_signal_id'] as const)
  const [row] = await work.db.query<{ entries: { id: string }[] }>(
    `SELECT ${list} AS entries FROM gadgets WHERE organization_id = $1 AND id = $2`,
    [work.caller.organization_id, gadgetId],
  )
  const ids = row?.entries.map(entry => entry.id) ?? []
  if (!ids.includes(trigger[field] as string))
    throw invalid(
      field,
      `${field}: gadget ${gadgetId} has no '${trigger[field]}'; it has: ${ids.join(', ') || 'none'}`,
    )
}
