import type { Database } from '../../database/db.ts'

export interface Grant {
  readonly granted_at: string | null
  readonly granted_by: {
    readonly user_id: string | null
    readonly oauth_application_id: string | null
  } | null
}

interface Found {
  readonly member_id: string
  readonly member_group_id: string
  readonly granted_at: string
  readonly is_told: boolean
  readonly user_id: string | null
  readonly oauth_application_id: string | null
}

/** A member and one of its groups. */
export interface Belonging {
  readonly member_id: string
  readonly member_group_id: string
}

const unknown: Grant = { granted_at: null, granted_by: null }

/**
 * Finds when members were put into groups, and by whom: the oldest association that still holds, and the event
 * that tells of it, which was recorded with it. Returns a function that answers for each of them.
 */
export async function findGrants(
  db: Database,
  { organization_id, at }: { readonly organization_id: string; readonly at: string },
  asked: readonly Belonging[],
): Promise<(one: Belonging) => Grant> {
  const pairs = new Map(asked.map(one => [keyOf(one), one]))
  if (pairs.size === 0) return () => unknown
  const rows = await db.query<Found>(
    `SELECT a.member_id, a.member_group_id, a.created_at AS granted_at, e.subject IS NOT NULL AS is_told,
       e.subject->>'user_id' AS user_id, e.subject->>'oauth_application_id' AS oauth_application_id
     FROM (SELECT DISTINCT ON (member_id, member_group_id) id, member_id, member_group_id, created_at FROM member_group_associations
       WHERE organization_id = $1 AND NOT is_deleted AND member_id = ANY($2::text[])
         AND (member_id, member_group_id) IN (SELECT * FROM unnest($3::text[], $4::text[])) AND (ends_at IS NULL OR ends_at > $5)
       ORDER BY member_id, member_group_id, created_at, id) AS a
     LEFT JOIN LATERAL (SELECT subject FROM events WHERE organization_id = $1 AND object->>'member_group_association_id' = a.id COLLATE "default"
       AND created_at = a.created_at AND recorded_at >= a.created_at AND recorded_at < a.created_at + interval '1 minute'
       AND verb = 'create' AND object->>'type' = 'member_group_association' LIMIT 1) AS e ON true`,
    [
      organization_id,
      [...new Set(asked.map(({ member_id }) => member_id))],
      [...pairs.values()].map(({ member_id }) => member_id),
      [...pairs.values()].map(({ member_group_id }) => member_group_id),
      at,
    ],
  )
  const grants = new Map(rows.map(row => [keyOf(row), grantOf(row)]))
  return one => grants.get(keyOf(one)) ?? unknown
}

function grantOf({ granted_at, is_told, user_id, oauth_application_id }: Found): Grant {
  return { granted_at, granted_by: is_told ? { user_id, oauth_application_id } : null }
}

function keyOf({ member_id, member_group_id }: Belonging): string {
  return `${member_id} ${member_group_id}`
}
