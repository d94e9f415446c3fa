import type { Behaviour } from '../objects/context.ts'
import { refuseEndBeforeStart } from './validity.ts'

export const memberGroupAssociationBehaviour: Behaviour = {
  /** One that ends as it begins is accepted: it is never valid. */
  settle(after) {
    refuseEndBeforeStart(after)
    return {}
  },
}
