import { behaviour } from '../objects/behaviour.ts'
import { refuseEndBeforeStart } from './validity.ts'

export const memberGroupAssociationBehaviour = behaviour('member_group_association', {
  /** An association that ends when it begins is accepted. It is never valid. */
  settle(after) {
    refuseEndBeforeStart(after)
    return {}
  },
})
