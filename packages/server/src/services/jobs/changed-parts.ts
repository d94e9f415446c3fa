import { addSeconds } from '@gatehouse-access/core'
import type { Work } from '../objects/context.ts'
import type { WholeJob } from './job-type.ts'
import { beginOf } from './rows-touched.ts'

/** Seconds: clocks of processes may differ. */
const hour = 3600

/**
 * Returns which kinds of what hangs on members were changed behind a job's own first change of the member, by others
 * than the job and its undo. The ETag of a member says nothing of them. Members that are locked get nothing new meanwhile.
 * OFFSET 0 keeps the lookup to the index of members: after a large import, its many events are not in the statistics yet.
 */
export async function findChangedParts(
  { db, caller }: Work,
  memberIds: readonly string[],
  undone: WholeJob,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (memberIds.length === 0) return new Map()
  const rows = await db.query<{ member_id: string; kinds: readonly string[] }>(
    `SELECT id AS member_id, array_agg(DISTINCT type) AS kinds FROM (
       SELECT m.id, e.*, min(e.sequence) FILTER (WHERE e.job_id = $4) OVER (PARTITION BY m.id) AS first
       FROM unnest($3::text[]) AS m(id), LATERAL (
         SELECT verb, object->>'type' AS type, coalesce(object->>'job_id', '') AS job_id, sequence FROM events
         WHERE organization_id = $1 AND object->>'member_id' = m.id AND recorded_at >= $2 OFFSET 0) e) c
     WHERE sequence > first AND verb IN ('create', 'edit', 'delete') AND job_id <> ALL(ARRAY[$4, $5]::text[]) GROUP BY id`,
    [
      caller.organization_id,
      addSeconds(beginOf(undone), -hour),
      memberIds,
      undone.id,
      caller.job_id ?? undone.id,
    ],
  )
  return new Map(rows.map(({ member_id, kinds }) => [member_id, kinds]))
}
