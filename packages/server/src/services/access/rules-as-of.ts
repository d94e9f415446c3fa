import type { Explanation } from '@gatehouse-access/core'
import type { Work } from '../objects/context.ts'

interface Asked {
  readonly at?: string | undefined
  readonly member_id?: string | undefined
  readonly gadget_id: string
}

interface Place {
  readonly site_id: string
  readonly is_door: boolean
}

/**
 * Decisions know the policy of today. If nothing that they read has changed since the asked time, it is the one of
 * then as well. Returns null for a time that is not past.
 */
export async function findRulesAsOf(
  { db, caller, now }: Work,
  { at, gadget_id, member_id }: Asked,
  { site_id, is_door }: Place,
  { rules }: Explanation,
): Promise<'then' | 'today' | null> {
  if (at === undefined || at >= now) return null
  const groups = [...new Set(rules.map(rule => rule.member_group_id))]
  const [row] = await db.query<{ has_changed: boolean }>(
    `WITH schedules AS (
       SELECT DISTINCT r->>'schedule_id' AS id FROM member_groups g, jsonb_array_elements(g.permissions) r
       WHERE g.organization_id = $1 AND g.id = ANY($3::text[]) AND r->>'schedule_id' IS NOT NULL)
     SELECT EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'member_group' AND object->>'member_group_id' = ANY($3::text[])
         AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'schedule' AND object->>'schedule_id' IN (SELECT id FROM schedules)
         AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' = 'tag' AND verb <> 'create' AND touches_policy AND created_at > $2
         AND object->>'tag_id' IN (SELECT r->>'tag_id' FROM member_groups g, jsonb_array_elements(g.permissions) r WHERE g.organization_id = $1 AND g.id = ANY($3::text[])))
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'site' AND object->>'site_id' = $4 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'gadget' AND object->>'gadget_id' = $5 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'member_id' = $6 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' = 'calendar_day' AND created_at > $2)
       OR ($7 AND EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' IN ('emergency', 'unlock_rule', 'gadget_mode') AND created_at > $2))
       AS has_changed`,
    [caller.organization_id, at, groups, site_id, gadget_id, member_id ?? null, is_door],
  )
  return row?.has_changed ? 'today' : 'then'
}
