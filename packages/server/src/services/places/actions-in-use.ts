import { invalid } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

interface GadgetAction {
  readonly field: string
  readonly gadget_id: string
  readonly action_id: string
}

/** Throws if a gadget lacks the action. The gadgets must exist. */
export async function checkActions(work: Work, wanted: readonly GadgetAction[]): Promise<void> {
  if (wanted.length === 0) return
  const rows = await work.db.query<{ id: string; actions: { id: string }[] }>(
    'SELECT id, actions FROM gadgets WHERE organization_id = $1 AND id = ANY($2::text[])',
    [work.caller.organization_id, [...new Set(wanted.map(({ gadget_id }) => gadget_id))]],
  )
  const actionsOf = new Map(rows.map(({ id, actions }) => [id, actions.map(action => action.id)]))
  for (const { field, gadget_id, action_id } of wanted) {
    const actions = actionsOf.get(gadget_id) ?? []
    if (!actions.includes(action_id))
      throw invalid(
        field,
        `${field}: gadget ${gadget_id} has no action '${action_id}'; it has: ${actions.join(', ') || 'none'}`,
      )
  }
}

/** Returns non-deleted groups, devices, triggers and plans that use one of a gadget's actions, as "kind id". */
export async function findActionUses(
  work: Work,
  gadgetId: string,
  actionIds: readonly string[],
): Promise<string[]> {
  const uses: string[] = []
  for (const action_id of actionIds) {
    const rows = await work.db.query<{ use: string }>(
      `SELECT 'member_group ' || id AS use FROM member_groups WHERE organization_id = $1 AND NOT is_deleted AND permissions @> $2
       UNION ALL SELECT 'device ' || id FROM devices WHERE organization_id = $1 AND NOT is_deleted AND input_rules @> $2
       UNION ALL SELECT 'gadget_trigger ' || id FROM gadget_triggers WHERE organization_id = $1 AND NOT is_deleted AND target_gadget_id = $3 AND target_action_id = $4
       UNION ALL SELECT 'emergency_plan ' || id FROM emergency_plans WHERE organization_id = $1 AND NOT is_deleted AND control_gadget_id = $3 AND $4 IN ('start', 'end')
       LIMIT 20`,
      [work.caller.organization_id, [{ gadget_id: gadgetId, action_id }], gadgetId, action_id],
    )
    uses.push(...rows.map(row => row.use))
  }
  return uses
}
