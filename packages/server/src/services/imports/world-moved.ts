import type { Row } from '../../database/db.ts'
import type { SealedJob } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { digestOfKey } from './rows/key-digest.ts'
import { storedImport } from './stored-import.ts'

/** More new members than this count as a change of any file. */
const mostLookedAt = 5000

/** Whether something that the diff of a dry run is about was changed since it began. */
export async function hasMoved(work: Work, { job }: SealedJob): Promise<boolean> {
  if (job.undo_of_job_id !== null) return false
  if (!storedImport(job.settings)) return true
  const since = job.started_at ?? job.created_at
  return (
    (await isTouched(work, job.id, since)) ||
    (await isRenamed(work, since)) ||
    (await isTaken(work, job.id, since, job.settings))
  )
}

const changes = `e.organization_id = $1 AND e.recorded_at >= $2 AND e.verb IN ('create', 'edit', 'delete')`

/** A member that a row changes, or something of it, was changed. */
async function isTouched({ db, caller }: Work, jobId: string, since: string): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM events e JOIN job_rows r ON r.organization_id = e.organization_id AND r.job_id = $3
       AND r.object_id IN (e.object->>'member_id', e.object->>'card_id', e.object->>'calendar_day_id', e.object->>'member_group_association_id')
     WHERE ${changes} LIMIT 1`,
    [caller.organization_id, since, jobId],
  )
  return row !== undefined
}

/** A group, tag, calendar or card that rows may name has come or gone. */
async function isRenamed({ db, caller }: Work, since: string): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM events e WHERE ${changes} AND e.object->>'type' IN ('member_group', 'tag', 'calendar')
       AND (e.verb <> 'edit' OR e.object->'changes' @> '[{"field": "name"}]') LIMIT 1`,
    [caller.organization_id, since],
  )
  return row !== undefined
}

/** A row that would make a member now finds one. */
async function isTaken(work: Work, jobId: string, since: string, settings: Row): Promise<boolean> {
  const { db, caller } = work
  if (storedImport(settings)?.import.kind !== 'members') return false
  const members = await db.query<{ keys: (string | null)[] }>(
    `SELECT ARRAY[m.external_id] || ARRAY(SELECT e.email_key FROM member_emails e WHERE e.organization_id = m.organization_id AND e.member_id = m.id AND NOT e.is_deleted) AS keys
     FROM members m WHERE m.organization_id = $1 AND m.is_deleted = false AND m.created_at >= $2 ORDER BY m.created_at DESC LIMIT ${mostLookedAt}`,
    [caller.organization_id, since],
  )
  if (members.length === mostLookedAt) return true
  const digests = members.flatMap(({ keys }) =>
    keys.flatMap(key => (key === null ? [] : [digestOfKey(work.context, jobId, key)])),
  )
  if (digests.length === 0) return false
  const [row] = await db.query(
    'SELECT 1 FROM job_rows WHERE organization_id = $1 AND job_id = $2 AND object_id = ANY($3::text[]) LIMIT 1',
    [caller.organization_id, jobId, digests],
  )
  return row !== undefined
}
