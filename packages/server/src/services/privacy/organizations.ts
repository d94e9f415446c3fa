import { invalid, type Periods } from '@gatehouse-access/api'
import { behaviour } from '../objects/behaviour.ts'
import { requireOwner } from '../roles/require-owner.ts'
import { planPeriods } from './periods.ts'

export const organizationBehaviour = behaviour('organization', {
  async beforeEdit(work, before, changes) {
    if (changes.privacy === undefined) return {}
    await requireOwner(work, 'change the privacy settings')
    refuseContradiction(changes.privacy)
    return { privacy_pending: planPeriods(before, changes.privacy, work.now) }
  },
})

function refuseContradiction({ access_days, access_delete_days }: Periods): void {
  if (access_days == null || access_delete_days == null || access_delete_days >= access_days) return
  throw invalid(
    'privacy.access_delete_days',
    `privacy.access_delete_days is ${access_delete_days}: events cannot be deleted before they lose their member, after ${access_days} days (access_days)`,
  )
}
