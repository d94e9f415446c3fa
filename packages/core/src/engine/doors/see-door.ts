import type { Need } from '../../modes/stage-e.ts'
import type { Attempt } from '../attempt.ts'
import type { Policy } from '../policy.ts'
import type { Steps } from '../steps.ts'
import { asksMode, spanOfDoorSteps } from './span-of-door.ts'
import { isFree, needsFor } from './stage-e.ts'

/** A door as it is for everybody at one time. */
export interface SeenDoor {
  /** Whether every known member passes. */
  is_free: boolean
  needs: readonly Need[]
}

const plain: SeenDoor = { is_free: false, needs: [] }

export function* seeDoor(policy: Policy, attempt: Attempt): Steps<SeenDoor> {
  if (!asksMode(policy, attempt.gadget)) return plain
  const span = yield* spanOfDoorSteps(policy, attempt.gadget, attempt.at)
  return { is_free: isFree(span, attempt), needs: needsFor(span, attempt) }
}
