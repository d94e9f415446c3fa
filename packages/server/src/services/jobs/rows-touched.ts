import type { Work } from '../objects/context.ts'
import type { WholeJob } from './job-type.ts'

/** What changes an object, of events. $1 is the organization, $2 the time since which it counts. */
export const changesSince = `e.organization_id = $1 AND e.recorded_at >= $2 AND e.verb IN ('create', 'edit', 'delete')`

/** When a dry run began to look at what is there. */
export function beginOf({ started_at, created_at }: WholeJob): string {
  return started_at ?? created_at
}

/** Whether something that the rows of a dry run are about, or a part of it, has changed since it began. */
export async function areRowsTouched({ db, caller }: Work, job: WholeJob): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM events e JOIN job_rows r ON r.organization_id = e.organization_id AND r.job_id = $3
       AND r.object_id IN (e.object->>'member_id', e.object->>'card_id', e.object->>'calendar_id', e.object->>'calendar_day_id', e.object->>'member_group_association_id')
     WHERE ${changesSince} LIMIT 1`,
    [caller.organization_id, beginOf(job), job.id],
  )
  return row !== undefined
}
