import type { EmergencyTargetsValue } from '@gatehouse-access/api'
import type { Write } from '../store/write.ts'

/**
 * The gadgets of `e`, an emergency or a plan, as `g`: its targets are resolved whenever it is asked for them, so
 * that a door that was added since is among them. They are joined, because PostgreSQL would look through the
 * list of an `IN` that depends on `e` for each gadget.
 */
export const targeted = `LATERAL (SELECT g.* FROM (
    SELECT jsonb_array_elements_text(e.targets->'gadget_ids') AS id
    UNION SELECT s.id FROM jsonb_array_elements_text(e.targets->'site_ids') AS x(site_id)
      JOIN gadgets s ON s.organization_id = e.organization_id AND NOT s.is_deleted AND s.site_id = x.site_id
    UNION SELECT t.id FROM jsonb_array_elements_text(e.targets->'tag_ids') AS y(tag_id)
      JOIN gadgets t ON t.organization_id = e.organization_id AND NOT t.is_deleted AND t.tag_ids @> ARRAY[y.tag_id]
    EXCEPT SELECT jsonb_array_elements_text(e.targets->'excluded_gadget_ids')) named
  JOIN gadgets g ON g.organization_id = e.organization_id AND g.id = named.id AND NOT g.is_deleted) g`

export interface TargetedDoor {
  readonly id: string
  /** Whether people could not leave by it: electric egress without a request to exit. */
  readonly is_trap: boolean
}

/** Returns the doors of targets that are not stored yet, by id. Gadgets that are no doors are left out. */
export function findDoors(
  { db, caller }: Pick<Write, 'db' | 'caller'>,
  targets: EmergencyTargetsValue,
  most: number,
): Promise<TargetedDoor[]> {
  return db.query<TargetedDoor>(
    `SELECT g.id, coalesce(g.door->>'egress' = 'electric' AND g.door->>'exit_signal_id' IS NULL, false) AS is_trap
     FROM (SELECT $1::text AS organization_id, $2::jsonb AS targets) e, ${targeted} WHERE g.door IS NOT NULL ORDER BY g.id LIMIT $3`,
    [caller.organization_id, targets, most],
  )
}

/** The active emergencies of a type that concern some of the doors, with those that they concern. */
export function findEmergenciesOn(
  { db, caller }: Pick<Write, 'db' | 'caller'>,
  gadgetIds: readonly string[],
): Promise<{ id: string; type: string; gadget_ids: string[]; other_count: number }[]> {
  return db.query<{ id: string; type: string; gadget_ids: string[]; other_count: number }>(
    `SELECT e.id, e.type, coalesce(array_agg(g.id ORDER BY g.id) FILTER (WHERE g.id = ANY($2::text[])), '{}') AS gadget_ids,
       count(*) FILTER (WHERE g.id <> ALL($2::text[]))::integer AS other_count
     FROM emergencies e, ${targeted} WHERE e.organization_id = $1 AND e.ended_at IS NULL AND g.door IS NOT NULL
     GROUP BY e.id, e.type ORDER BY e.id`,
    [caller.organization_id, gadgetIds],
  )
}
