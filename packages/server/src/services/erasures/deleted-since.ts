/** The condition that a member was deleted since, for statements whose `$1` is the organization. Only its events tell when. */
export function isDeletedSince(member: string, since: string): string {
  return `EXISTS (SELECT 1 FROM events later WHERE later.organization_id = $1 AND (later.object->>'type') = 'member'
    AND (later.object->>'member_id') = ${member} AND later.verb = 'delete' AND later.created_at >= ${since})`
}
