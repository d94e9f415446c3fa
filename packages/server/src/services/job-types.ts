import type { JobTypes } from './jobs/job-type.ts'
import { memberData } from './privacy/data-export/member-data.ts'

/** What jobs do, by their type. */
export const jobTypes: JobTypes = { member_data: memberData }
