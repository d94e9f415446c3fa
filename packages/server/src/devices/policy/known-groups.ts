import type { Database } from '../../database/db.ts'

interface Of {
  readonly organization_id: string
  readonly device_id: string
}

/** Must be called before members of these groups are sent. */
export async function rememberGroups(
  db: Database,
  { organization_id, device_id }: Of,
  groups: Iterable<string>,
): Promise<void> {
  const ids = [...groups]
  if (ids.length === 0) return
  await db.query(
    `INSERT INTO device_groups (organization_id, device_id, member_group_id) SELECT $1, $2, id FROM unnest($3::text[]) AS id
     ON CONFLICT DO NOTHING`,
    [organization_id, device_id, ids],
  )
}

/** Returns those members that are, or ever were, in a group whose members were ever sent to the device. */
export async function findEverKnown(
  db: Database,
  { organization_id, device_id }: Of,
  members: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ member_id: string }>(
    `SELECT DISTINCT a.member_id FROM member_group_associations a
     JOIN device_groups g ON g.organization_id = a.organization_id AND g.device_id = $2 AND g.member_group_id = a.member_group_id
     WHERE a.organization_id = $1 AND a.member_id = ANY($3::text[])`,
    [organization_id, device_id, members],
  )
  return rows.map(row => row.member_id)
}
