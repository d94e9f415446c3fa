import { RequestError, type Resource, resources } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import { readRowsBefore } from '../jobs/job-data.ts'
import type { Batch, BatchResult, JobRow, JobRun, JobWork, SealedJob } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit } from '../objects/objects.ts'
import { afterWriting, type Before } from './change-member.ts'

const inOneRead = 100
const beyond = 2_147_483_647

/** Sets members back to what they were before, last first, unless somebody has changed them since. */
export function undoEdit({ job, undone }: JobRun & { readonly undone: SealedJob }): JobWork {
  const { organization_id } = job
  const of = { organization_id, job_id: undone.job.id, key: undone.key }
  return {
    async run(batch: Batch): Promise<BatchResult> {
      const before = Number(batch.cursor?.before ?? beyond)
      const held = await readRowsBefore(batch.work.db, of, before, inOneRead)
      const rows: JobRow[] = []
      for (const row of held) {
        if (rows.length >= batch.most || (rows.length > 0 && batch.isOver())) break
        rows.push({ number: row.number, object_id: row.object_id, ...(await undoRow(batch, row)) })
      }
      return {
        cursor: { before: rows.at(-1)?.number ?? before },
        is_done: rows.length === held.length && held.length < inOneRead,
        total: undone.job.progress.done,
        rows,
      }
    },
  }
}

type Undone = Pick<JobRow, 'outcome' | 'detail'>

async function undoRow({ work, refused }: Batch, row: JobRow): Promise<Undone> {
  if (row.outcome !== 'updated' && row.outcome !== 'deleted') return { outcome: 'unchanged' }
  if (refused) return { outcome: 'failed', detail: { problem: refused.message } }
  const reach = { organization_id: work.caller.organization_id }
  const member = await findObject(work.db, resources.member, reach, row.object_id ?? '', { lock: true })
  if (!member || etagOf(resources.member, member) !== row.etag)
    return { outcome: 'skipped', detail: { problem: 'changed since' } }
  const { fields, added, removed } = row.detail as Before
  try {
    await applyEdit(work, resources.member, member, fields)
  } catch (error) {
    if (error instanceof RequestError) return { outcome: 'failed', detail: { problem: error.message } }
    throw error
  }
  const group = resources.member_group_association
  for (const id of added) await setDeleted(work, group, id, true).catch(afterWriting)
  for (const id of removed) await setDeleted(work, group, id, false).catch(afterWriting)
  return { outcome: row.outcome === 'deleted' ? 'restored' : 'updated' }
}

async function setDeleted(work: Work, resource: Resource, id: string, is_deleted: boolean): Promise<void> {
  const { organization_id } = work.caller
  const row = await findObject(work.db, resource, { organization_id }, id, { lock: true })
  if (row) await applyEdit(work, resource, row, { is_deleted })
}
