import type { MemberDataJob } from '@gatehouse-access/api'
import { createJob } from '../../jobs/create-job.ts'
import type { InputOf } from '../../objects/action.ts'
import { erased } from '../../objects/credentials.ts'
import { getObject } from '../../objects/objects.ts'

/** `POST /members/{id}/data_export` */
export function exportMember({
  work,
  target,
  id,
  readBody,
}: InputOf<'member', 'data_export'>): Promise<MemberDataJob> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const member = await getObject(inner, target, id)
    readBody()
    if (member.erased_at !== null) throw erased('member', id)
    const {
      id: job_id,
      type,
      state,
      created_at,
    } = await createJob(inner, {
      type: 'member_data',
      settings: { member_id: id },
    })
    return { id: job_id, type, state, created_at }
  })
}
