import { behaviour } from '../objects/behaviour.ts'
import { refuseEndBeforeStart } from './validity.ts'

export const memberGroupAssociationBehaviour = behaviour('member_group_association', {
  /** One that ends as it begins is accepted: it is never valid. */
  settle(after) {
    refuseEndBeforeStart(after)
    return {}
  },
})
