import { RequestError, type Resource, resources } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import { childKinds } from '../imports/members/plan.ts'
import { changedSince } from '../imports/rows/undone-row.ts'
import { findChangedParts } from '../jobs/changed-parts.ts'
import { readRowsBefore } from '../jobs/job-data.ts'
import type { Batch, BatchResult, JobRow, JobRun, JobWork, SealedJob, WholeJob } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit } from '../objects/objects.ts'
import { afterWriting, type Before } from './change-member.ts'
import { errorsFile, errorsPart, isTold, problemOf } from './errors-file.ts'
import type { Member } from './select-members.ts'

const groups = [resources.member_group_association.kind]
const inOneRead = 100
const beyond = 2_147_483_647

/** Sets members back to what they were before, last first, unless somebody has changed them since. */
export function undoEdit({ job, undone }: JobRun & { readonly undone: SealedJob }): JobWork {
  const { organization_id } = job
  const of = { organization_id, job_id: undone.job.id, key: undone.key }
  return {
    files: [errorsFile],
    async run(batch: Batch): Promise<BatchResult> {
      const before = Number(batch.cursor?.before ?? beyond)
      const held = await readRowsBefore(batch.work.db, of, before, inOneRead)
      const rows: JobRow[] = []
      for (const row of held) {
        if (rows.length >= batch.most || (rows.length > 0 && batch.isOver())) break
        rows.push(isChange(row) ? await undoRow(batch, undone.job, row) : unchanged(row))
      }
      return {
        cursor: { before: rows.at(-1)?.number ?? before },
        is_done: rows.length === held.length && held.length < inOneRead,
        total: undone.job.progress.done,
        rows,
        notices: rows.filter(isTold).map(row => `${row.object_id} ${problemOf(row)}.`),
        parts: errorsPart(batch.cursor === null, rows),
      }
    },
  }
}

function isChange({ outcome }: JobRow): boolean {
  return outcome === 'updated' || outcome === 'deleted'
}

/** Names nobody: what becomes of the member has no effect on the undo. */
function unchanged({ number }: JobRow): JobRow {
  return { number, outcome: 'unchanged' }
}

async function undoRow({ work, refused }: Batch, undone: WholeJob, row: JobRow): Promise<JobRow> {
  const { number, object_id = '' } = row
  const left = (outcome: 'skipped' | 'failed', problem: string): JobRow => ({
    number,
    object_id,
    outcome,
    detail: { problem },
  })
  if (refused)
    return left('failed', refused.cause instanceof RequestError ? refused.message : 'could not be set back')
  const reach = { organization_id: work.caller.organization_id }
  const member = await findObject(work.db, resources.member, reach, object_id, { lock: true })
  if (!member || (await hasChanged(work, undone, row, member))) return left('skipped', changedSince)
  const { fields, added, removed } = row.detail as Before
  try {
    await applyEdit(work, resources.member, member, fields)
  } catch (error) {
    if (error instanceof RequestError) return left('failed', error.message)
    throw error
  }
  const group = resources.member_group_association
  for (const id of added) await setDeleted(work, group, id, true).catch(afterWriting)
  for (const id of removed) await setDeleted(work, group, id, false).catch(afterWriting)
  return { number, object_id, outcome: row.outcome === 'deleted' ? 'restored' : 'updated' }
}

/** Whether the member, or what the edit has changed of what hangs on them, is not as the edit has left it. */
async function hasChanged(work: Work, undone: WholeJob, row: JobRow, member: Member): Promise<boolean> {
  if (etagOf(resources.member, member) !== row.etag) return true
  const { added, removed } = row.detail as Before
  const kinds = row.outcome === 'deleted' ? childKinds : added.length + removed.length > 0 ? groups : []
  if (kinds.length === 0) return false
  const changed = (await findChangedParts(work, [member.id], undone)).get(member.id) ?? []
  return kinds.some(kind => changed.includes(kind))
}

async function setDeleted(work: Work, resource: Resource, id: string, is_deleted: boolean): Promise<void> {
  const { organization_id } = work.caller
  const row = await findObject(work.db, resource, { organization_id }, id, { lock: true })
  if (row) await applyEdit(work, resource, row, { is_deleted })
}
