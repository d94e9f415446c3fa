import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { checkActions } from './actions-in-use.ts'
import { findPlaced, hasLocalPath } from './local-path.ts'

const fieldsOf = {
  state: ['source_gadget_id', 'source_state_id'],
  signal: ['source_gadget_id', 'source_signal_id'],
  schedule: ['source_schedule_id', 'source_schedule_event'],
  alarm: ['source_gadget_id', 'source_alarm_type', 'source_alarm_event'],
} as const
const sourceFields = [
  'source_gadget_id',
  'source_state_id',
  'source_signal_id',
  'source_schedule_id',
  'source_schedule_event',
  'source_alarm_type',
  'source_alarm_event',
] as const

/** The fields of a trigger that name its source and target. */
type Wired = Pick<
  StoredOf<Resources['gadget_trigger']>,
  'source_type' | 'target_gadget_id' | 'target_action_id' | (typeof sourceFields)[number]
>

export const gadgetTriggerBehaviour = behaviour('gadget_trigger', {
  settle(after) {
    checkSourceFields(after)
    return {}
  },
  beforeCreate: (work, values) => checkEnds(work, values),
  beforeEdit: (work, before, changes) =>
    changes.is_deleted === true ? Promise.resolve({}) : checkEnds(work, { ...before, ...changes }),
})

function checkSourceFields(trigger: Wired): void {
  const type = trigger.source_type
  const wanted: readonly string[] = fieldsOf[type]
  for (const name of sourceFields) {
    if (wanted.includes(name) && trigger[name] === null)
      throw invalid(name, `${name} is required when source_type is ${type}`)
    if (!wanted.includes(name) && trigger[name] !== null)
      throw invalid(name, `${name} must be absent when source_type is ${type}`)
  }
}

/** Both ends must exist, have what the trigger names, and reach each other. Returns the target's site. */
async function checkEnds(work: Work, trigger: Wired): Promise<{ site_id: string }> {
  const { source_gadget_id: sourceId, target_gadget_id: targetId } = trigger
  await checkActions(work, [
    { field: 'target_action_id', gadget_id: targetId, action_id: trigger.target_action_id },
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

async function checkSource(work: Work, gadgetId: string, trigger: Wired): Promise<void> {
  if (trigger.source_type === 'alarm') return checkMonitored(work, gadgetId, trigger)
  const [list, field] =
    trigger.source_type === 'state'
      ? (['states', 'source_state_id'] as const)
      : (['signals', 'source_signal_id'] as const)
  const [row] = await work.db.query<{ entries: { id: string }[] }>(
    `SELECT ${list} AS entries FROM gadgets WHERE organization_id = $1 AND id = $2`,
    [work.caller.organization_id, gadgetId],
  )
  const ids = row?.entries.map(entry => entry.id) ?? []
  if (!ids.includes(trigger[field] ?? ''))
    throw invalid(
      field,
      `${field}: gadget ${gadgetId} has no '${trigger[field]}'; it has: ${ids.join(', ') || 'none'}`,
    )
}

/** Only a door with a contact is monitored, and tampering is noticed by a signal. */
async function checkMonitored(work: Work, gadgetId: string, trigger: Wired): Promise<void> {
  const { source_alarm_type: type } = trigger
  const [row] = await work.db.query<{ has_contact: boolean; has_tamper: boolean }>(
    `SELECT coalesce(door->>'open_state_id' IS NOT NULL, false) AS has_contact,
       coalesce(door->>'tamper_signal_id' IS NOT NULL, false) AS has_tamper
     FROM gadgets WHERE organization_id = $1 AND id = $2`,
    [work.caller.organization_id, gadgetId],
  )
  if (!row?.has_contact)
    throw invalid(
      'source_gadget_id',
      `source_gadget_id: gadget ${gadgetId} has no alarms, because its door has no open_state_id and closed_state_id`,
    )
  if (type === 'door_tampered' && !row.has_tamper)
    throw invalid(
      'source_alarm_type',
      `source_alarm_type: gadget ${gadgetId} is never '${type}', because its door has no tamper_signal_id`,
    )
}
