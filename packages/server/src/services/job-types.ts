import { bulkEditJob } from './bulk/edit-members.ts'
import type { JobTypes } from './jobs/job-type.ts'

/** What jobs do, by their type. */
export const jobTypes: JobTypes = { bulk: bulkEditJob }
