import { invalid, type SiteFireValue } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

/**
 * Checks a fire input and returns it with what is known of the present fire. While there is one, its contact
 * stays: somebody has to reset it.
 */
export async function settleFire(
  work: Work,
  siteId: string,
  before: SiteFireValue | null,
  after: SiteFireValue | null,
): Promise<{ fire: SiteFireValue | null }> {
  const isSame =
    before !== null &&
    before.source_gadget_id === after?.source_gadget_id &&
    before.source_state_id === after.source_state_id
  if (before?.since && !isSame)
    throw invalid('fire', 'fire cannot be changed while there is a fire; reset it first')
  if (after) await checkFire(work, siteId, after)
  if (!after || !isSame) return { fire: after }
  return { fire: { ...before, ...after } }
}

async function checkFire(work: Work, siteId: string, fire: SiteFireValue): Promise<void> {
  const { source_gadget_id, source_state_id, release_gadget_ids = [] } = fire
  const rows = await work.db.query<{ id: string; states: { id: string }[]; can_hold: boolean }>(
    `SELECT id, states, coalesce(door->>'hold_action_id' IS NOT NULL, false) AS can_hold FROM gadgets
     WHERE organization_id = $1 AND site_id = $2 AND id = ANY($3::text[])`,
    [work.caller.organization_id, siteId, [source_gadget_id, ...release_gadget_ids]],
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  const states = byId.get(source_gadget_id)?.states.map(({ id }) => id)
  if (!states)
    throw invalid(
      'fire.source_gadget_id',
      `fire.source_gadget_id: gadget ${source_gadget_id} is not of this site`,
    )
  if (!states.includes(source_state_id))
    throw invalid(
      'fire.source_state_id',
      `fire.source_state_id: gadget ${source_gadget_id} has no state '${source_state_id}'; it has: ${states.join(', ') || 'none'}`,
    )
  for (const [index, id] of release_gadget_ids.entries()) {
    const field = `fire.release_gadget_ids.${index}`
    if (!byId.has(id)) throw invalid(field, `${field}: gadget ${id} is not of this site`)
    if (!byId.get(id)?.can_hold)
      throw invalid(
        field,
        `${field}: gadget ${id} cannot be held open, because it has no door with a hold_action_id`,
      )
  }
}
