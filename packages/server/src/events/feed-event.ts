import type { Row } from '../database/db.ts'

export interface FeedEvent {
  readonly event: Row
  /** Where a reader that has seen this event goes on. */
  readonly position: string
}
