import type { Database } from '../../database/db.ts'

/** A member can be in any number of groups; a guest is told of a few places. */
const most = { groups: 50, places: 20 } as const

export interface Place {
  readonly id: string
  readonly name: string
  readonly timezone: string
  readonly phone: string | null
  readonly email: string | null
}

/**
 * Returns the sites of a member's groups, whatever the time: those that a rule names by itself, by a gadget or by
 * a tag of a gadget, or all if a rule names none. Sites that can be called come first. Also for deleted members.
 */
export function listPlaces(
  db: Database,
  { organization_id, member_id }: { readonly organization_id: string; readonly member_id: string },
): Promise<Place[]> {
  return db.query<Place>(
    `WITH RECURSIVE own AS (
       SELECT member_group_id AS id FROM member_group_associations
       WHERE organization_id = $1 AND member_id = $2 AND NOT is_deleted
       UNION
       SELECT rule->>'member_group_id' FROM own
       JOIN member_groups g ON g.organization_id = $1 AND g.id = own.id AND NOT g.is_deleted,
         jsonb_array_elements(g.permissions) AS rule WHERE rule->>'member_group_id' IS NOT NULL
     ), rules AS (
       SELECT rule->>'site_id' AS site_id, rule->>'gadget_id' AS gadget_id, rule->>'tag_id' AS tag_id, rule->>'member_group_id' AS group_id
       FROM (SELECT id FROM own LIMIT ${most.groups}) AS few
       JOIN member_groups g ON g.organization_id = $1 AND g.id = few.id AND NOT g.is_deleted,
         jsonb_array_elements(g.permissions) AS rule
     ), named AS (
       SELECT site_id AS id FROM rules WHERE site_id IS NOT NULL
       UNION
       SELECT d.site_id FROM rules JOIN gadgets d ON d.organization_id = $1 AND d.id = rules.gadget_id AND NOT d.is_deleted
       UNION
       SELECT d.site_id FROM rules JOIN gadgets d ON d.organization_id = $1 AND d.tag_ids @> ARRAY[rules.tag_id] AND NOT d.is_deleted
     )
     SELECT id, name, timezone, phone, email FROM sites WHERE organization_id = $1 AND NOT is_deleted
       AND (id IN (SELECT id FROM named) OR EXISTS (SELECT 1 FROM rules WHERE coalesce(site_id, gadget_id, tag_id, group_id) IS NULL))
     ORDER BY phone IS NULL AND email IS NULL, name, id LIMIT ${most.places}`,
    [organization_id, member_id],
  )
}
