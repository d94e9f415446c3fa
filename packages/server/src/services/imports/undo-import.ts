import { csvLine } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { readRowsBefore } from '../jobs/job-data.ts'
import type { Batch, BatchResult, FileKind, JobRow, JobRun, JobWork, SealedJob } from '../jobs/job-type.ts'
import { diffFile, errorsFile, part } from './files.ts'
import { undoMembers } from './members/undo-members.ts'
import type { UndoneRow } from './rows/undone-row.ts'
import { dataOf } from './stored-import.ts'
import { undoObjects } from './undo-objects.ts'

interface UndoCursor {
  /** The number of the last row that was set back, from behind. */
  readonly before: number
}

const afterAll = 2_147_483_647
/** Milliseconds that a batch may take before the next is smaller, and the fewest rows that are worth a transaction. */
const pleasant = 80
const fewestRows = 10
const errorsHead = csvLine(['line', 'object_id', 'problem'])

/** Sets back an import, from its last row to its first. */
export class UndoWork implements JobWork {
  readonly #run: JobRun
  readonly #undone: SealedJob
  #rows: readonly JobRow[] = []
  #size = 5 * fewestRows

  constructor(run: JobRun & { readonly undone: SealedJob }) {
    this.#run = run
    this.#undone = run.undone
  }

  get files(): readonly FileKind[] {
    return this.#run.job.is_dry_run ? [diffFile, errorsFile] : [errorsFile]
  }

  async run({ work, cursor, most, refused }: Batch): Promise<BatchResult> {
    const { before } = cursor === null ? { before: afterAll } : (cursor as unknown as UndoCursor)
    const begun = performance.now()
    const asked = Math.min(most, this.#size)
    this.#rows = await readRowsBefore(work.db, dataOf(this.#undone), before, asked)
    const changed = this.#rows.filter(isChange)
    const results = refused
      ? changed.map(row => skipped(row, 'it could not be set back'))
      : [
          ...(await undoMembers(work, this.#undone.job, changed.filter(isMember))),
          ...(await undoObjects(
            work,
            changed.filter(row => !isMember(row)),
          )),
        ]
    const told = results.filter(({ problem }) => problem !== undefined)
    const is_done = this.#rows.length < asked
    this.#learnSize(performance.now() - begun, most)
    return {
      cursor: { before: this.#rows.at(-1)?.number ?? 0 },
      is_done,
      ...(cursor === null && {
        total:
          this.#undone.job.progress.done -
          this.#undone.job.progress.failed -
          this.#undone.job.summary.unchanged,
      }),
      rows: results.map(({ row, outcome }) => ({ number: row.number, outcome, object_id: row.object_id })),
      notices: told.map(({ row, problem }) => `Line ${row.number}: ${row.object_id} ${problem}.`),
      parts: [
        ...part(errorsFile, `${cursor === null ? errorsHead : ''}${told.map(lineOf).join('')}`),
        ...part(diffFile, this.#run.job.is_dry_run ? results.map(diffLine).join('') : ''),
      ],
    }
  }

  /** Members that were created are deleted together; those that were changed are set back one by one, which takes long. */
  #learnSize(took: number, most: number): void {
    const size = took > pleasant ? this.#size / 2 : this.#size * 1.5
    this.#size = Math.round(Math.min(most, Math.max(fewestRows, size)))
  }
}

function isChange({ outcome, detail }: JobRow): boolean {
  return detail !== undefined && outcome !== 'failed' && outcome !== 'skipped' && outcome !== 'unchanged'
}

function isMember({ detail }: JobRow): boolean {
  return (detail as { kind?: unknown }).kind === 'member'
}

function skipped(row: JobRow, problem: string): UndoneRow {
  return { row, outcome: 'skipped', problem }
}

function lineOf({ row, problem }: UndoneRow): string {
  return csvLine([row.number, row.object_id, problem])
}

function diffLine({ row, outcome, before, after }: UndoneRow): string {
  const line: Row = {
    line: row.number,
    outcome,
    object_id: row.object_id,
    before: before ?? null,
    after: after ?? null,
  }
  return outcome === 'skipped' ? '' : `${JSON.stringify(line)}\n`
}
