import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Metrics } from '../metrics.ts'
import { isUnavailable } from '../store/away.ts'
import type { Database, Pool } from '../store/db.ts'
import { pauseAfter, Trouble } from '../trouble.ts'
import { handleAll, type Lead } from './batches.ts'
import { acquireCursor, LeadLost, releaseCursor, renewCursor } from './cursors.ts'
import type { Feed, FeedEvent } from './feed.ts'
import type { Life } from './life.ts'

/** Something that must see every event exactly once, whatever number of processes run it. */
export interface Consumer {
  readonly name: string
  /** Milliseconds of rest after a batch that was not full: fewer and larger batches for what need not be quick. */
  readonly rest?: number
  /** This process is about to lead: what it remembers from earlier may be out of date. */
  begin?(): Promise<void>
  /** True: an event that cannot be handled stops it. Otherwise it is set aside. */
  readonly isWhole?: boolean
  /** What need not be done in the transaction; always called before `handle`, with the same events. */
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
  readonly log: Logger
  readonly metrics: Metrics
  readonly life: Pick<Life, 'owner'>
}

const batch = 500
const renewal = 2000
const pause = 500

/**
 * Runs a consumer until the signal aborts.
 *
 *   waiting ── the lease is free ──▶ leading ── a batch: move the cursor, handle it, commit ──▶ leading
 *      ▲                                │
 *      └── the lease was lost, or a batch failed: begin again from the stored cursor
 *
 * Invariant: what `handle` does commits with the cursor moving from the very position that was read from. The lease
 * only keeps processes from doing the same work in vain; a leader that lost it unawares finds the cursor moved.
 */
export async function consume(
  context: ConsumerContext,
  consumer: Consumer,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = context.life
  const lead: Lead = { context, consumer, owner, inARow: 0 }
  const trouble = new Trouble(context.log, `consumer ${consumer.name} begins again`)
  let failures = 0
  const succeed = () => {
    failures = 0
    trouble.over()
  }
  while (!signal.aborted) {
    await follow(lead, signal, succeed).catch(error => {
      failures = isUnavailable(error) || error instanceof LeadLost ? 0 : failures + 1
      trouble.met(error)
    })
    await rest(Math.max(pause, pauseAfter(failures)), signal)
  }
  await releaseCursor(context.db, consumer.name, owner).catch(() => undefined)
}

async function follow(lead: Lead, signal: AbortSignal, succeed: () => void): Promise<void> {
  const { consumer, owner } = lead
  const { db, feed, clock } = lead.context
  let position = await acquireCursor(db, consumer.name, owner, clock.now())
  if (position === undefined) return
  const lost = new AbortController()
  const timer = setInterval(() => renewOrLose(db, consumer.name, owner, lost), renewal).unref()
  try {
    await consumer.begin?.()
    for await (const events of feed.read({
      after: position,
      batch,
      signal: AbortSignal.any([signal, lost.signal]),
    })) {
      position = await handleAll(lead, position, events)
      succeed()
      if (consumer.rest && events.length < batch) await rest(consumer.rest, signal)
    }
  } finally {
    clearInterval(timer)
  }
}

function rest(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}

/** A database that is away is no loss: nobody else can take the lease either. */
async function renewOrLose(db: Pool, name: string, owner: string, lost: AbortController): Promise<void> {
  const isHeld = await renewCursor(db, name, owner).catch(() => true)
  if (!isHeld) lost.abort()
}
