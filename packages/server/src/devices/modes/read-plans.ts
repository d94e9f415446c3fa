import { compileEmergency, type EmergencyRow } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { ModeSources, Plan } from './mode-sources.ts'
import { type Ids, readPages } from './read-pages.ts'

interface StoredPlan extends Omit<Plan, 'reach'> {
  readonly id: string
  readonly type: EmergencyRow['type']
  readonly targets: EmergencyRow['targets']
  readonly exempt_member_group_ids: string[]
  readonly unlocked_gadget_ids: string[]
}

/** Plans per query: each may name thousands of doors. */
const page = 10

export function readPlans(
  db: Database,
  organizationId: string,
  into: ModeSources['emergency_plans'],
  ids?: Ids,
): Promise<void> {
  return readPages<StoredPlan, Plan>({
    ids,
    into,
    page,
    read: (after, named) =>
      db.query<StoredPlan & object>(
        `SELECT id, type, targets, exempt_member_group_ids, unlocked_gadget_ids, offline_hold_seconds, ends_after_seconds,
           control_gadget_id, trigger FROM emergency_plans
         WHERE organization_id = $1 AND NOT is_deleted AND id > $2 AND ($3::text[] IS NULL OR id = ANY($3::text[]))
         ORDER BY id LIMIT ${page}`,
        [organizationId, after, named],
      ),
    make: ({ id, type, targets, exempt_member_group_ids, unlocked_gadget_ids, ...rest }) => ({
      ...rest,
      // A plan reaches its doors as the emergency will that it starts.
      reach: compileEmergency({
        id,
        type,
        targets,
        exempt_member_group_ids,
        unlocked_gadget_ids,
        started_at: '',
      }),
    }),
  })
}
