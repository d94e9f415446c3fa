import { RequestError } from '@gatehouse-access/api'
import { readFileOf } from '../jobs/job-data.ts'
import type { JobType } from '../jobs/job-type.ts'
import { refuseSecondSync } from './create-import.ts'
import { diffFile, errorsFile, foreseenFile, resultsFile } from './files.ts'
import { ImportWork } from './import-work.ts'
import { surveyInput } from './input-rows.ts'
import { revealResults } from './reveal-results.ts'
import { Foreseen } from './rows/foreseen.ts'
import { dataOf, storedImport } from './stored-import.ts'
import { findDeletes } from './sync-deletes.ts'
import { UndoWork } from './undo-import.ts'
import { hasMoved } from './world-moved.ts'

/** An erasure removes the files of dry runs that hold the member. What is missing must not look like an empty file. */
function fileGone(): RequestError {
  return new RequestError(
    'gone',
    'the file was removed, since it held a member who was erased; send it again',
  )
}

/** `POST /imports` makes jobs of this type. */
export const importJob: JobType = {
  name: 'import',
  files: [diffFile, errorsFile, resultsFile],
  own_files: [foreseenFile],
  async begin(run) {
    const told = storedImport(run.job.settings)
    if (!told) throw fileGone()
    const { survey, table } = await surveyInput(run.context.db, dataOf(run.input), told)
    if (survey.rows !== told.rows) throw fileGone()
    const deletes = await findDeletes(run, told, survey)
    const foreseen = await Foreseen.load(readFileOf(run.context.db, dataOf(run), foreseenFile))
    return new ImportWork(run, { told, survey, table, deletes, foreseen })
  },
  undo: async run => new UndoWork(run),
  hasMoved,
  async beforeStart(work, { job }) {
    const settings = storedImport(job.settings)?.import
    if (settings?.mode === 'sync' && job.undo_of_job_id === null) await refuseSecondSync(work, settings)
  },
  beforeReveal: revealResults,
}
