import type { JobTypes } from './objects/job-type.ts'

/** What jobs do, by their type. */
export const jobTypes: JobTypes = {}
