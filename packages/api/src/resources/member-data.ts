import { required, type Shape, shape } from '../kit/compounds.ts'
import type { Action } from '../kit/resource.ts'
import { choice, reference, timestamp } from '../kit/scalars.ts'
import { jobStates, jobTypes } from './job.ts'

const parts = {
  id: required(reference('job'), 'The job, see `GET /jobs/{job_id}`.'),
  type: required(choice(...jobTypes), 'Always `member_data`.'),
  state: required(choice(...jobStates), 'Its state.'),
  created_at: required(timestamp, 'When it was made.'),
}
export type MemberDataJob = Shape<typeof parts>

export const dataExport = {
  method: 'POST',
  path: '/data_export',
  about:
    "Makes a job that puts everything held about the member into two files: `member-data.json`, and `member-data.html` in the member's language. Other people appear as roles; PINs and links are not told. The files are there for 7 days, and each fetch is recorded as a `reveal` event of the member.",
  scope: 'write',
  bulk: 'never',
  body: {},
  answer: shape(parts),
} as const satisfies Action
