import {
  type Capabilities,
  capabilitiesOf,
  invalid,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { holdLock } from '../../database/locks.ts'
import { present } from '../../flow/present.ts'
import { findObject } from '../../store/find.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { findActionUses } from './actions-in-use.ts'
import { checkStillHeld, findDoorSourceUses } from './door-uses.ts'
import { checkDoor } from './gadget-doors.ts'

type Device = StoredOf<Resources['device']>
type Named = { id: string; name: string }
const lists = ['actions', 'states', 'signals'] as const

export const gadgetBehaviour = behaviour('gadget', {
  settle(after, before) {
    for (const list of lists) refuseRepeatedIds(list, after[list])
    checkDoor(after, before)
    return {}
  },
  async beforeCreate(work, values) {
    const device = await holdDevice(work, values.device_id)
    await checkCapacity(work, device, 'device_id')
    return { site_id: device.site_id, state_id: initialState(device, values.states) }
  },
  async beforeEdit(work, before, changes) {
    for (const list of lists) if (changes[list]) await refuseUsed(work, before, list, changes[list])
    if (changes.door !== undefined) await checkStillHeld(work, before, changes.door)
    return {}
  },
  async beforeDelete(work, gadget) {
    const device = await holdDevice(work, gadget.device_id)
    if (capabilities(device).gadgets === 'single')
      throw invalid(
        'device_id',
        `its device ${device.id} always has exactly one gadget; delete the device instead`,
      )
    return {}
  },
  async beforeRestore(work, gadget) {
    const device = await holdDevice(work, gadget.device_id)
    await checkCapacity(work, device, 'is_deleted')
    return { site_id: device.site_id }
  },
})

/**
 * Serializes changes to a device's gadgets, so that two cannot take the last slot at once. Uses a separate
 * lock: concurrent transactions may already share a lock on the row, and would deadlock when upgrading it.
 */
async function holdDevice(work: Work, id: string): Promise<Device> {
  const { organization_id } = work.caller
  const device = await findObject(work.db, resources.device, { organization_id }, id, { lock: 'share' })
  await holdLock(work.db, 'gadgets_of_device', id)
  return present(device, `device ${id}`)
}

function capabilities(device: Device): Capabilities {
  return capabilitiesOf(device.product_id)
}

async function checkCapacity(work: Work, device: Device, field: string): Promise<void> {
  const { gadgets, gadget_max_count } = capabilities(device)
  const [row] = await work.db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM gadgets WHERE organization_id = $1 AND device_id = $2 AND NOT is_deleted',
    [work.caller.organization_id, device.id],
  )
  if ((row?.count ?? 0) < gadget_max_count) return
  const rule = {
    none: 'cannot have gadgets',
    single: 'already has its one gadget',
    multiple: `already has its ${gadget_max_count} gadgets`,
  }
  throw invalid(field, `device ${device.id} (${device.product_id}) ${rule[gadgets]}`)
}

/** A virtual gadget starts in its first state. A physical gadget has none until its device reports it. */
export function initialState(device: Pick<Device, 'hardware_id'>, states: readonly Named[]): string | null {
  return device.hardware_id === null ? (states[0]?.id ?? null) : null
}

function refuseRepeatedIds(list: string, entries: readonly Named[]): void {
  const ids = entries.map(entry => entry.id)
  const index = ids.findIndex((id, place) => ids.indexOf(id) !== place)
  if (index >= 0) throw invalid(`${list}.${index}.id`, `${list} has the id '${ids[index]}' twice`)
}

async function refuseUsed(
  work: Work,
  before: StoredOf<Resources['gadget']>,
  list: (typeof lists)[number],
  after: readonly Named[],
): Promise<void> {
  const kept = new Set(after.map(entry => entry.id))
  const removed = before[list].map(entry => entry.id).filter(id => !kept.has(id))
  if (removed.length === 0) return
  const uses =
    list === 'actions'
      ? await findActionUses(work, before.id, removed)
      : await findSourceUses(work, before.id, list, removed)
  if (uses.length > 0)
    throw invalid(list, `${list} ${removed.join(', ')} cannot be removed while in use by ${uses.join(', ')}`)
}

async function findSourceUses(
  work: Work,
  gadgetId: string,
  list: 'states' | 'signals',
  ids: readonly string[],
): Promise<string[]> {
  const column = list === 'states' ? 'source_state_id' : 'source_signal_id'
  const rows = await work.db.query<{ id: string }>(
    `SELECT id FROM gadget_triggers WHERE organization_id = $1 AND source_gadget_id = $2 AND ${column} = ANY($3::text[]) AND NOT is_deleted LIMIT 20`,
    [work.caller.organization_id, gadgetId, ids],
  )
  const uses = await findDoorSourceUses(work, gadgetId, list, ids)
  return [...rows.map(row => `gadget_trigger ${row.id}`), ...uses]
}
