import { addSeconds, compileEmergency, type EmergencyRow } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { ModeSources } from './mode-sources.ts'

interface StoredEmergency {
  readonly id: string
  readonly emergency_plan_id: string | null
  readonly type: EmergencyRow['type']
  readonly targets: EmergencyRow['targets']
  readonly exempt_member_group_ids: string[]
  readonly unlocked_gadget_ids: string[]
  readonly offline_hold_seconds: number | null
  readonly is_drill: boolean
  readonly started_at: string
  readonly ends_at: string | null
  readonly renewed_at: string
}

/** Reads all that are active, of which there are few: one that has ended is not sent any more. */
export async function readEmergencies(
  db: Database,
  organizationId: string,
  { emergencies }: Pick<ModeSources, 'emergencies'>,
): Promise<void> {
  const rows = await db.query<StoredEmergency>(
    `SELECT id, emergency_plan_id, type, targets, exempt_member_group_ids, unlocked_gadget_ids, offline_hold_seconds,
       is_drill, started_at, ends_at, renewed_at FROM emergencies
     WHERE organization_id = $1 AND ended_at IS NULL AND NOT is_deleted ORDER BY id`,
    [organizationId],
  )
  emergencies.clear()
  for (const { emergency_plan_id, offline_hold_seconds, renewed_at, ...row } of rows) {
    const held_until = offline_hold_seconds === null ? null : addSeconds(renewed_at, offline_hold_seconds)
    emergencies.set(row.id, { plan_id: emergency_plan_id, reach: compileEmergency({ ...row, held_until }) })
  }
}
