import type { Resources, StoredOf } from '@gatehouse-access/api'

export type StoredEvent = StoredOf<Resources['event']>
/** What is read of one. The rest follows from it. */
export type EventColumns = Omit<StoredEvent, 'local_time'>

export interface FeedEvent {
  readonly event: StoredEvent
  /** The position where a reader that has seen this event continues. */
  readonly position: string
}
