import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

type Gadget = StoredOf<Resources['gadget']>

/** Returns what else uses one of a gadget's states or signals, as "kind id". */
export async function findDoorSourceUses(
  work: Work,
  gadgetId: string,
  list: 'states' | 'signals',
  ids: readonly string[],
): Promise<string[]> {
  const statement = list === 'states' ? fires : signals
  const rows = await work.db.query<{ use: string }>(statement, [work.caller.organization_id, gadgetId, ids])
  return rows.map(({ use }) => use)
}

const fires = `SELECT 'site ' || id AS use FROM sites WHERE organization_id = $1 AND NOT is_deleted
  AND fire->>'source_gadget_id' = $2 AND fire->>'source_state_id' = ANY($3::text[]) LIMIT 20`
const signals = `SELECT 'unlock_rule ' || id AS use FROM unlock_rules WHERE organization_id = $1 AND NOT is_deleted
    AND last_person_signal->>'gadget_id' = $2 AND last_person_signal->>'signal_id' = ANY($3::text[])
  UNION ALL SELECT 'emergency_plan ' || id FROM emergency_plans WHERE organization_id = $1 AND NOT is_deleted
    AND trigger->>'gadget_id' = $2 AND trigger->>'signal_id' = ANY($3::text[]) LIMIT 20`

/** Throws if a door that unlock rules hold open would no longer have anything to be held open with. */
export async function checkStillHeld(work: Work, before: Gadget, after: Gadget['door']): Promise<void> {
  if (before.door?.hold_action_id == null || after?.hold_action_id != null) return
  const [rule] = await findRulesOf(work, [before.id])
  if (rule)
    throw invalid(
      'door',
      `door.hold_action_id cannot be removed while unlock_rule ${rule.id} holds the gadget ${before.id} open`,
    )
}

/** Throws if gadgets move to another site than an unlock rule or a fire input that names them. */
export async function checkMovedDoors(
  work: Work,
  siteId: string,
  gadgetIds: readonly string[],
): Promise<void> {
  const [rule] = (await findRulesOf(work, gadgetIds)).filter(({ site_id }) => site_id !== siteId)
  if (rule)
    throw invalid('site_id', `unlock_rule ${rule.id} names gadgets of the device; take them out of it first`)
  const [site] = await work.db.query<{ id: string }>(
    `SELECT id FROM sites WHERE organization_id = $1 AND NOT is_deleted AND id <> $2 AND fire IS NOT NULL
       AND (fire->>'source_gadget_id' = ANY($3::text[]) OR fire->'release_gadget_ids' ?| $3::text[]) LIMIT 1`,
    [work.caller.organization_id, siteId, gadgetIds],
  )
  if (site) throw invalid('site_id', `fire of site ${site.id} names gadgets of the device; change it first`)
}

function findRulesOf(work: Work, gadgetIds: readonly string[]): Promise<{ id: string; site_id: string }[]> {
  return work.db.query<{ id: string; site_id: string }>(
    'SELECT id, site_id FROM unlock_rules WHERE organization_id = $1 AND NOT is_deleted AND gadget_ids && $2::text[] ORDER BY id',
    [work.caller.organization_id, gadgetIds],
  )
}
