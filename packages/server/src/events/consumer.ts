import type { Logger } from 'pino'
import type { Database, Pool } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import type { Timers } from '../flow/timers.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Feed } from './feed.ts'
import type { FeedEvent } from './feed-event.ts'
import type { Life } from './life.ts'

/** Handles every event exactly once, regardless of how many processes run it. */
export interface Consumer {
  readonly name: string
  /** Milliseconds to wait before a batch that is not full: if nobody waits for it, those go first for whom somebody does. */
  readonly patience?: number
  /** Milliseconds to wait after a batch that was not full: larger batches if speed does not matter. */
  readonly rest?: number
  /** Nobody waits for it: its transactions leave the processors to others. */
  readonly gives_way?: boolean
  /** Called before this process leads: its cached state may be out of date. */
  begin?(): Promise<void>
  /** True: an event that cannot be handled stops the consumer. Otherwise the event is set aside. */
  readonly isWhole?: boolean
  /** Does work that needs no transaction. Always called before `handle`, with the same events. */
  prepare?(events: readonly FeedEvent[]): Promise<void>
  /** Runs in the transaction that moves the cursor. */
  handle(db: Database, events: readonly FeedEvent[]): Promise<void>
  afterCommit?(): void
  /** Runs in the transaction that sets an event aside. */
  noteSetAside?(db: Database, event: FeedEvent): Promise<void>
}

export interface ConsumerContext {
  readonly db: Pool
  readonly feed: Feed
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly metrics: Metrics
  readonly life: Pick<Life, 'owner'>
}
