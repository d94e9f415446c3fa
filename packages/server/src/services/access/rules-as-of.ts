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
 * then as well. Groups that are inherited count too, since one that has lost its rules is in no explanation. Returns null for a time that is not past.
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
    `WITH RECURSIVE reached(id) AS (
       SELECT unnest($3::text[]) UNION
       SELECT r->>'member_group_id' FROM reached JOIN member_groups g ON g.organization_id = $1 AND g.id = reached.id, jsonb_array_elements(g.permissions) r
       WHERE r->>'member_group_id' IS NOT NULL),
     rules AS (SELECT r FROM member_groups g, jsonb_array_elements(g.permissions) r WHERE g.organization_id = $1 AND g.id IN (SELECT id FROM reached))
     SELECT EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'member_group' AND object->>'member_group_id' IN (SELECT id FROM reached)
         AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'schedule' AND object->>'schedule_id' IN (SELECT r->>'schedule_id' FROM rules)
         AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' = 'tag' AND verb <> 'create' AND touches_policy AND created_at > $2
         AND object->>'tag_id' IN (SELECT r->>'tag_id' FROM rules))
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'site' AND object->>'site_id' = $4 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND (object->>'type') = 'gadget' AND object->>'gadget_id' = $5 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'member_id' = $6 AND created_at > $2 AND touches_policy)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' = 'calendar' AND verb <> 'create' AND touches_policy AND created_at > $2)
       OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' = 'calendar_day' AND created_at > $2)
       OR ($7 AND EXISTS (SELECT 1 FROM events WHERE organization_id = $1 AND object->>'type' IN ('emergency', 'unlock_rule', 'gadget_mode') AND created_at > $2))
       AS has_changed`,
    [caller.organization_id, at, groups, site_id, gadget_id, member_id ?? null, is_door],
  )
  return row?.has_changed ? 'today' : 'then'
}
