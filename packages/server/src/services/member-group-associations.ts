import type { Behaviour } from './behaviour.ts'
import { checkValidity } from './validity.ts'

export const memberGroupAssociationBehaviour: Behaviour = {
  settle(after) {
    checkValidity(after)
    return {}
  },
}
