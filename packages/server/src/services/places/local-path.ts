import { invalid, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { updateObject } from '../../store/write.ts'
import type { Work } from '../objects/context.ts'

interface Placed {
  readonly id: string
  readonly site_id: string
  readonly device_id: string
  readonly hardware_id: string | null
  readonly gateway_device_id: string | null
}

const placedGadget = `SELECT g.id, g.site_id, g.device_id, d.hardware_id, d.gateway_device_id FROM gadgets g
  JOIN devices d ON d.organization_id = g.organization_id AND d.id = g.device_id WHERE g.organization_id = $1`

/** A trigger runs without the cloud: both gadgets must be in one site and reach each other there. */
export function hasLocalPath(source: Placed, target: Placed): boolean {
  if (source.site_id !== target.site_id) return false
  if (source.device_id === target.device_id) return true
  if (source.hardware_id === null && target.hardware_id === null) return true
  const [a, b] = [reachedThrough(source), reachedThrough(target)]
  return a !== null && a === b
}

/** A gateway reaches itself and the devices behind it. */
function reachedThrough({ gateway_device_id, hardware_id, device_id }: Placed): string | null {
  return gateway_device_id ?? (hardware_id === null ? null : device_id)
}

export async function findPlaced(work: Work, ids: readonly string[]): Promise<Map<string, Placed>> {
  const rows = await work.db.query<Placed>(`${placedGadget} AND g.id = ANY($2::text[])`, [
    work.caller.organization_id,
    ids,
  ])
  return new Map(rows.map(row => [row.id, row]))
}

/** Checks after a move that every non-deleted trigger of these gadgets still has its local path. */
export async function checkLocalPaths(work: Work, gadgetIds: readonly string[]): Promise<void> {
  const triggers = await work.db.query<{ id: string; source_gadget_id: string; target_gadget_id: string }>(
    `SELECT id, coalesce(source_gadget_id, target_gadget_id) AS source_gadget_id, target_gadget_id FROM gadget_triggers
     WHERE organization_id = $1 AND NOT is_deleted AND (source_gadget_id = ANY($2::text[]) OR target_gadget_id = ANY($2::text[]))`,
    [work.caller.organization_id, gadgetIds],
  )
  const placed = await findPlaced(
    work,
    triggers.flatMap(trigger => [trigger.source_gadget_id, trigger.target_gadget_id]),
  )
  for (const { id, source_gadget_id, target_gadget_id } of triggers) {
    const [source, target] = [placed.get(source_gadget_id), placed.get(target_gadget_id)]
    if (source && target && !hasLocalPath(source, target))
      throw invalid(
        'site_id',
        `gadget_trigger ${id} would lose the local path between its gadgets; delete it first`,
      )
  }
  await moveTriggers(work, gadgetIds)
}

/** A trigger belongs to the site of its target. Moving the target edits the trigger, with an event. */
async function moveTriggers(work: Work, gadgetIds: readonly string[]): Promise<void> {
  const triggers = await work.db.query<StoredOf<Resources['gadget_trigger']> & { target_site_id: string }>(
    `SELECT t.*, g.site_id AS target_site_id FROM gadget_triggers t JOIN gadgets g ON g.organization_id = $1 AND g.id = t.target_gadget_id
     WHERE t.organization_id = $1 AND t.target_gadget_id = ANY($2::text[]) AND t.site_id <> g.site_id ORDER BY t.id FOR UPDATE OF t`,
    [work.caller.organization_id, gadgetIds],
  )
  for (const { target_site_id: site_id, ...trigger } of triggers)
    await updateObject(work, resources.gadget_trigger, trigger, { site_id })
}
