import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { requireConfinedGroup } from '../roles/bounds.ts'
import { refuseEndBeforeStart } from './validity.ts'

export const memberGroupAssociationBehaviour = behaviour('member_group_association', {
  /** An association that ends when it begins is accepted. It is never valid. */
  settle(after) {
    refuseEndBeforeStart(after)
    return {}
  },
  async beforeCreate(work, values) {
    requireConfinedGroup(work, values.member_group_id)
    return {}
  },
  async beforeEdit(work, before) {
    requireConfinedGroup(work, before.member_group_id)
    return {}
  },
  async beforeDelete(work, row) {
    requireConfinedGroup(work, row.member_group_id)
    await keepInSight(work, row.member_id)
    return {}
  },
})

/** Whoever takes a member out of a group of their sites still sees the member, to undo it for instance. */
async function keepInSight({ db, caller }: Work, member_id: string): Promise<void> {
  if (!caller.bounds) return
  await db.query(
    `UPDATE members SET desk_site_ids = ARRAY(SELECT DISTINCT unnest(coalesce(desk_site_ids, '{}') || $3::text[]))
     WHERE organization_id = $1 AND id = $2`,
    [caller.organization_id, member_id, caller.bounds.site_ids],
  )
}
