import type { Resources, StoredOf } from '@gatehouse-access/api'

export type StoredEvent = StoredOf<Resources['event']>

export interface FeedEvent {
  readonly event: StoredEvent
  /** The position where a reader that has seen this event continues. */
  readonly position: string
}
