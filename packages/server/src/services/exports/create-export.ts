import type { ExportBody } from '@gatehouse-access/api'
import { createJob, refuseWhenKept } from '../jobs/create-job.ts'
import type { Job } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { planExport } from './export-plan.ts'

/** `POST /exports` */
export function createExport({
  work,
  readBody,
}: {
  readonly work: Work
  readBody(): ExportBody
}): Promise<Job> {
  const body = readBody()
  planExport(body, work.caller.oauth_application_id)
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    await refuseWhenKept(inner, 'job_files')
    return createJob(inner, { type: 'export', settings: { ...body } })
  })
}
