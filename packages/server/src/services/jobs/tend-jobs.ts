import { resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { updateObject } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { serviceOf } from './rights.ts'
import { findWhole } from './sealed-jobs.ts'

const batch = 100
const manyRows = 5000
/** Seconds that rows and files are kept after the end, and that an upload may take. */
const keptRows = 7 * 24 * 3600
const longestUpload = 6 * 3600

type Needs = Pick<Context, 'db' | 'clock'>

/** Removes what jobs no longer need. Any number of processes may run this at once. */
export async function tendJobs(context: Needs): Promise<void> {
  await giveUpWaiting(context)
  await removeInputs(context)
  await shredEnded(context)
}

/** Cancels dry runs that nobody has started. */
async function giveUpWaiting({ db, clock }: Needs): Promise<void> {
  const now = clock.now()
  const due = await db.query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM jobs WHERE state = 'awaiting' AND can_start_until <= $1 LIMIT ${batch}`,
    [now],
  )
  await eachApart(due, ({ organization_id, id }) =>
    db.transaction(async inner => {
      const job = await findWhole(inner, organization_id, id, true)
      if (job?.state !== 'awaiting') return
      const write = { db: inner, caller: serviceOf(job), now }
      await updateObject(write, resources.job, job, { state: 'canceled', can_start_until: null })
    }),
  )
}

/** Removes inputs that no job reads any more, and those of uploads that were broken off. */
async function removeInputs({ db, clock }: Needs): Promise<void> {
  await repeat(() =>
    db.query(
      `DELETE FROM job_inputs WHERE ctid IN (SELECT i.ctid FROM job_inputs i
         WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.organization_id = i.organization_id AND j.input_job_id = i.job_id
             AND j.state IN ('queued', 'running', 'awaiting'))
           AND (i.created_at < $1 OR EXISTS (SELECT 1 FROM jobs j WHERE j.organization_id = i.organization_id AND j.id = i.job_id))
         LIMIT ${batch}) RETURNING 1`,
      [addSeconds(clock.now(), -longestUpload)],
    ),
  )
}

/**
 * Removes the rows and files of jobs that ended a while ago, and then the key: what a backup still holds is unreadable. What
 * they were asked to do goes as well, since it can quote people. While one is being undone, its rows say how.
 */
async function shredEnded({ db, clock }: Needs): Promise<void> {
  const due = await db.query<{ organization_id: string; id: string }>(
    `SELECT organization_id, id FROM jobs j WHERE key_ciphertext IS NOT NULL AND ended_at < $1
       AND NOT EXISTS (SELECT 1 FROM jobs u WHERE u.organization_id = j.organization_id AND NOT u.is_deleted AND u.undo_of_job_id = j.id
         AND u.state IN ('queued', 'running', 'awaiting')) LIMIT ${batch}`,
    [addSeconds(clock.now(), -keptRows)],
  )
  await eachApart(due, async ({ organization_id, id }) => {
    await removeOf(db, 'job_rows', manyRows, organization_id, id)
    await removeOf(db, 'job_files', batch, organization_id, id)
    await db.query(
      `UPDATE jobs SET key_ciphertext = NULL, settings = '{}' WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
    )
  })
}

function removeOf(
  db: Database,
  table: 'job_rows' | 'job_files',
  most: number,
  organization_id: string,
  id: string,
): Promise<void> {
  return repeat(
    () =>
      db.query(
        `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE organization_id = $1 AND job_id = $2 LIMIT ${most}) RETURNING 1`,
        [organization_id, id],
      ),
    most,
  )
}

/** Deletes in batches, so that no long transaction holds back the readers of the feed. */
async function repeat(remove: () => Promise<readonly object[]>, most = batch): Promise<void> {
  while ((await remove()).length === most);
}
