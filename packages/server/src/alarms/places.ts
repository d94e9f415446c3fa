import type { Resources, StoredOf } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { targeted } from '../doors/targeted.ts'
import type { Condition } from './condition.ts'

export type Status = StoredOf<Resources['device']>['status']

/** Where a condition is, as it is now. */
export interface Place {
  readonly condition_key: string
  readonly site_id: string | null
  readonly device_id: string | null
  /** Whatever a rule may name to mean it: sites, device, gadget, tags. */
  readonly ids: readonly string[]
  readonly gateway_device_id: string | null
  /** Of the device. */
  readonly status: Status | null
  readonly is_deleted: boolean
  readonly in_maintenance: boolean
}

/**
 * Returns the places of conditions by their keys. Each row is looked up by itself, whatever the planner believes of
 * the sizes of tables.
 */
export async function findPlaces(
  db: Database,
  organizationId: string,
  conditions: readonly Condition[],
  now: string,
): Promise<Map<string, Place>> {
  const rows = await db.query<Place>(
    `SELECT c.condition_key, s.id AS site_id, d.id AS device_id, d.gateway_device_id,
       array_remove(ARRAY[s.id, d.id, g.id] || coalesce(s.tag_ids, '{}') || coalesce(d.tag_ids, '{}') || coalesce(g.tag_ids, '{}')
         || coalesce(m.tag_ids, '{}') || CASE WHEN c.emergency_id IS NULL THEN '{}' ELSE ARRAY(SELECT DISTINCT g.site_id
           FROM emergencies e, ${targeted} WHERE e.organization_id = $1 AND e.id = c.emergency_id) END, NULL) AS ids,
       d.status,
       coalesce(d.is_deleted, false) OR coalesce(g.is_deleted, false) AS is_deleted,
       coalesce(greatest(s.maintenance_until, d.maintenance_until) > $3::timestamptz, false) AS in_maintenance
     FROM jsonb_to_recordset($2::jsonb) AS c(condition_key text, site_id text, device_id text, gadget_id text, member_id text, emergency_id text)
     LEFT JOIN LATERAL (SELECT * FROM gadgets WHERE organization_id = $1 AND id = c.gadget_id LIMIT 1) g ON true
     LEFT JOIN LATERAL (SELECT * FROM devices WHERE organization_id = $1 AND id = coalesce(c.device_id, g.device_id) LIMIT 1) d ON true
     LEFT JOIN LATERAL (SELECT * FROM sites WHERE organization_id = $1 AND id = coalesce(c.site_id, g.site_id, d.site_id) LIMIT 1) s ON true
     LEFT JOIN LATERAL (SELECT tag_ids FROM members WHERE organization_id = $1 AND id = c.member_id LIMIT 1) m ON true`,
    [organizationId, conditions, now],
  )
  return new Map(rows.map(row => [row.condition_key, row]))
}
