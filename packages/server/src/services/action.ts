import type { Row } from '../store/db.ts'
import type { Work } from './behaviour.ts'
import type { Target } from './objects.ts'

/** What a declared action is given to work with. */
export interface ActionInput {
  readonly work: Work
  readonly target: Target
  readonly id: string
  /** Checks and answers the body; called after existence has been checked. */
  readBody(): Row
}
