import type { JobType } from '../jobs/job-type.ts'
import { refuseSecondSync } from './create-import.ts'
import { ImportWork } from './import-work.ts'
import { surveyInput } from './input-rows.ts'
import { revealResults } from './reveal-results.ts'
import { dataOf, storedImport } from './stored-import.ts'
import { findDeletes } from './sync-deletes.ts'
import { UndoWork } from './undo-import.ts'
import { hasMoved } from './world-moved.ts'

/** `POST /imports` makes jobs of this type. */
export const importJob: JobType = {
  name: 'import',
  async begin(run) {
    const told = storedImport(run.job.settings)
    const { survey, table } = await surveyInput(run.context.db, dataOf(run.input), told)
    const deletes = await findDeletes(run, told, survey)
    return new ImportWork(run, { told, survey, table, deletes })
  },
  undo: async run => new UndoWork(run),
  hasMoved,
  async refuseStart(work, { job }) {
    if (job.undo_of_job_id === null) await refuseSecondSync(work, storedImport(job.settings).import)
  },
  beforeReveal: revealResults,
}
