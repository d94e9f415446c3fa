import type { Row } from '../../database/db.ts'
import type { SealedJob, WholeJob } from '../jobs/job-type.ts'
import { areRowsTouched, beginOf, changesSince } from '../jobs/rows-touched.ts'
import type { Work } from '../objects/context.ts'
import { keysOfMembers } from './members/member-keys.ts'
import { digestOfKey } from './rows/key-digest.ts'
import { storedImport } from './stored-import.ts'

/** More objects that have changed than this count as a change of any file. */
const mostLookedAt = 5000

/** Whether something that the diff of a dry run is about was changed since it began. */
export async function hasMoved(work: Work, { job }: SealedJob): Promise<boolean> {
  if (job.undo_of_job_id !== null) return areRowsTouched(work, job)
  const told = storedImport(job.settings)
  if (!told) return true
  return (
    (await areRowsTouched(work, job)) ||
    (await isRenamed(work, job)) ||
    (await isTaken(work, job, told.import))
  )
}

/** A group, tag or calendar that rows may name has come or gone. */
async function isRenamed({ db, caller }: Work, job: WholeJob): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM events e WHERE ${changesSince} AND e.object->>'type' IN ('member_group', 'tag', 'calendar')
       AND (e.verb <> 'edit' OR e.object->'changes' @> '[{"field": "name"}]') LIMIT 1`,
    [caller.organization_id, beginOf(job)],
  )
  return row !== undefined
}

/** A row that would make a member or a card now finds one. */
async function isTaken(
  work: Work,
  job: WholeJob,
  { kind, key }: { kind: string; key: string },
): Promise<boolean> {
  if (kind !== 'members' && kind !== 'cards') return false
  const found = await (kind === 'cards' ? keysOfCards(work, job) : keysOfChanged(work, job, key))
  if (found.length === mostLookedAt) return true
  const digests = found.flatMap(({ keys }) => keys.map(one => digestOfKey(work.context, job.id, one)))
  if (digests.length === 0) return false
  const [row] = await work.db.query(
    `SELECT 1 FROM job_rows WHERE organization_id = $1 AND job_id = $2 AND string_to_array(object_id, ' ') && $3::text[] LIMIT 1`,
    [work.caller.organization_id, job.id, digests],
  )
  return row !== undefined
}

interface Keyed extends Row {
  readonly keys: readonly string[]
}

function keysOfChanged({ db, caller }: Work, job: WholeJob, key: string): Promise<Keyed[]> {
  const { text, extra } = keysOfMembers(key, '$3')
  return db.query<Keyed>(
    `SELECT ${text} AS keys FROM members m WHERE m.organization_id = $1 AND m.id IN (
       SELECT e.object->>'member_id' FROM events e WHERE ${changesSince} AND e.object->>'type' IN ('member', 'member_email', 'member_card'))
     LIMIT ${mostLookedAt}`,
    [caller.organization_id, beginOf(job), ...extra],
  )
}

function keysOfCards({ db, caller }: Work, job: WholeJob): Promise<Keyed[]> {
  return db.query<Keyed>(
    `SELECT array_remove(ARRAY[c.uid, c.printed_code], NULL) AS keys FROM cards c WHERE c.organization_id = $1 AND c.id IN (
       SELECT e.object->>'card_id' FROM events e WHERE ${changesSince} AND e.object->>'type' = 'card')
     LIMIT ${mostLookedAt}`,
    [caller.organization_id, beginOf(job)],
  )
}
