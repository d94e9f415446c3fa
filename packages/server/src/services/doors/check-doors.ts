import { invalid } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

interface Named {
  readonly id: string
  readonly site_id: string
  readonly can_hold: boolean
  readonly is_door: boolean
}

/** Throws if one of the gadgets cannot be held open, or is of another site than it should be. They must exist. */
export async function checkHeldDoors(
  work: Work,
  field: string,
  ids: readonly string[],
  siteId?: string,
): Promise<void> {
  const rows = await work.db.query<Named>(
    `SELECT id, site_id, door IS NOT NULL AS is_door, coalesce(door->>'hold_action_id' IS NOT NULL, false) AS can_hold
     FROM gadgets WHERE organization_id = $1 AND id = ANY($2::text[])`,
    [work.caller.organization_id, ids],
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  for (const [index, id] of ids.entries()) {
    const gadget = byId.get(id)
    const path = `${field}.${index}`
    if (siteId !== undefined && gadget?.site_id !== siteId)
      throw invalid(path, `${path}: gadget ${id} is not of site ${siteId}`)
    if (!gadget?.is_door) throw invalid(path, `${path}: gadget ${id} has no door, so it cannot be held open`)
    if (!gadget.can_hold)
      throw invalid(path, `${path}: gadget ${id} cannot be held open, because its door has no hold_action_id`)
  }
}

/** Throws if a gadget does not have the signal, or is of another site. */
export async function checkSignal(
  work: Work,
  field: string,
  { gadget_id, signal_id }: { readonly gadget_id: string; readonly signal_id: string },
  siteId?: string,
): Promise<void> {
  const [gadget] = await work.db.query<{ site_id: string; signals: { id: string }[] }>(
    'SELECT site_id, signals FROM gadgets WHERE organization_id = $1 AND id = $2',
    [work.caller.organization_id, gadget_id],
  )
  if (siteId !== undefined && gadget?.site_id !== siteId)
    throw invalid(`${field}.gadget_id`, `${field}.gadget_id: gadget ${gadget_id} is not of site ${siteId}`)
  const ids = gadget?.signals.map(({ id }) => id) ?? []
  if (!ids.includes(signal_id))
    throw invalid(
      `${field}.signal_id`,
      `${field}.signal_id: gadget ${gadget_id} has no signal '${signal_id}'; it has: ${ids.join(', ') || 'none'}`,
    )
}
