import { bulkEditJob } from './bulk/edit-members.ts'
import { exportJob } from './exports/export-job.ts'
import { importJob } from './imports/import-job.ts'
import type { JobTypes } from './jobs/job-type.ts'
import { memberData } from './privacy/data-export/member-data.ts'

/** What jobs do, by their type. */
export const jobTypes: JobTypes = {
  bulk: bulkEditJob,
  export: exportJob,
  import: importJob,
  member_data: memberData,
}
