import { type BulkChange, RequestError } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { Batch, BatchResult, JobRow, JobRun, JobType, JobWork } from '../jobs/job-type.ts'
import { areRowsTouched } from '../jobs/rows-touched.ts'
import { changeMember } from './change-member.ts'
import { checkMentioned, otherCount } from './create-bulk-edit.ts'
import { errorsFile, errorsPart } from './errors-file.ts'
import { countSelected, type Member, type Selection, selectNext } from './select-members.ts'
import { undoEdit } from './undo-edit.ts'

interface Settings extends Selection {
  readonly change: BulkChange
  readonly expected_count?: number
}

/** How many are done, and where the list goes on. */
interface Place {
  readonly done: number
  readonly behind?: string
}

/** As many are counted before a job begins. */
const mostCounted = 10_000_000

/** Jobs of `POST /bulk/edit`. */
export const bulkEditJob: JobType = {
  name: 'bulk',
  files: [errorsFile],
  begin: async run => new Editing(run),
  undo: async run => undoEdit(run),
  async beforeStart(_work, { job }) {
    if (job.undo_of_job_id === null && !('change' in job.settings)) throw settingsGone()
  },
  async hasMoved(work, { job }) {
    if (await areRowsTouched(work, job)) return true
    if (job.undo_of_job_id !== null) return false
    const seen = job.progress.done
    return (await countSelected(work, work.caller.organization_id, settingsOf(job), seen + 1)) !== seen
  },
}

/** Without its filter, it would be about everybody. */
function settingsGone(): RequestError {
  return new RequestError('gone', 'the dry run named a member who was erased; make another')
}

function settingsOf({ settings }: JobRun['job']): Settings {
  return settings as unknown as Settings
}

class Editing implements JobWork {
  readonly files = [errorsFile]
  readonly #run: JobRun
  readonly #settings: Settings
  #total: number | undefined

  constructor(run: JobRun) {
    this.#run = run
    this.#settings = settingsOf(run.job)
  }

  async prepare(): Promise<void> {
    const { context, job } = this.#run
    this.#total ??= await countSelected(
      { db: context.db, context },
      job.organization_id,
      this.#settings,
      mostCounted,
    )
  }

  async run(batch: Batch): Promise<BatchResult> {
    const { done, behind } = (batch.cursor ?? { done: 0 }) as unknown as Place
    const { organization_id, created_at } = this.#run.job
    await checkMentioned(batch.work, this.#settings.change)
    const { db } = batch.work
    const next = await selectNext(batch.work, organization_id, this.#settings, behind, created_at)
    const shown = await this.#findShown(db, next.selected)
    const rows: JobRow[] = []
    for (const { member } of next.selected) {
      if (rows.length >= batch.most || (rows.length > 0 && batch.isOver())) break
      const number = done + rows.length + 1
      if (!shown) this.#refuseMore(number)
      if (!member) rows.push(gone(number))
      else if (shown && !shown.has(member.id)) rows.push(unseen(number, member))
      else rows.push(await this.#edit(batch, member, number))
    }
    return {
      cursor: { done: done + rows.length, behind: next.selected[rows.length - 1]?.behind ?? behind },
      is_done: next.is_last && rows.length === next.selected.length,
      rows,
      ...(this.#total !== undefined && { total: this.#total }),
      parts: errorsPart(done === 0, rows),
    }
  }

  /** Returns those whom the dry run has shown. Undefined if there was none: then only their number is known. */
  async #findShown(
    db: Database,
    selected: readonly { readonly member: Member | undefined }[],
  ): Promise<ReadonlySet<string> | undefined> {
    const { job, input } = this.#run
    if (input.job.id === job.id) return undefined
    const ids = selected.flatMap(({ member }) => member?.id ?? [])
    const rows = await db.query<{ id: string }>(
      'SELECT object_id AS id FROM job_rows WHERE organization_id = $1 AND job_id = $2 AND object_id = ANY($3::text[])',
      [job.organization_id, input.job.id, ids],
    )
    return new Set(rows.map(({ id }) => id))
  }

  /** Of an edit without a dry run only the number is known: who else matches by now was never asked for. */
  #refuseMore(number: number): void {
    const { expected_count } = this.#settings
    if (expected_count !== undefined && number > expected_count) throw otherCount(expected_count, number)
  }

  async #edit({ work, refused }: Batch, member: Member, number: number): Promise<JobRow> {
    if (refused) return failedRow(number, member, refused)
    try {
      return { number, object_id: member.id, ...(await changeMember(work, member, this.#settings.change)) }
    } catch (error) {
      if (error instanceof RequestError) return failedRow(number, member, error)
      throw error
    }
  }
}

function gone(number: number): JobRow {
  return { number, outcome: 'skipped', detail: { problem: 'no longer exists' } }
}

/** Somebody else may have stopped to match, so that the number is still the same. */
function unseen(number: number, { id }: Member): JobRow {
  return {
    number,
    outcome: 'skipped',
    object_id: id,
    detail: { problem: 'matches only since the dry run, which has not shown it' },
  }
}

function failedRow(number: number, { id }: Member, { message, cause }: Error): JobRow {
  const problem =
    cause instanceof Error && !(cause instanceof RequestError) ? 'could not be changed' : message
  return { number, outcome: 'failed', object_id: id, detail: { problem } }
}
