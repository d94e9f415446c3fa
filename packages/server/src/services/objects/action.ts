import type { Row } from '../../database/db.ts'
import type { Work } from './context.ts'
import type { Target } from './objects.ts'

/** What a declared action is given to work with. */
export interface ActionInput {
  readonly work: Work
  readonly target: Target
  readonly id: string
  /** Everything the path names. */
  readonly ids: Readonly<Record<string, string>>
  /** The endpoint's own query parameters. */
  readonly query: Readonly<Record<string, unknown>>
  /** Checks and answers the body; called after existence has been checked. */
  readBody(): Row
}
