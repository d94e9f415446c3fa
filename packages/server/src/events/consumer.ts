import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database, Pool } from '../store/db.ts'
import { acquireCursor, moveCursor, releaseCursor, renewCursor } from './cursors.ts'
import type { Feed, FeedEvent } from './feed.ts'

/** Something that must see every event exactly once, whatever number of processes run it. */
export interface Consumer {
  readonly name: string
  /** Milliseconds of rest after a batch that was not full: fewer and larger batches for what need not be quick. */
  readonly rest?: number
  /** This process is about to lead: what it remembers from earlier may be out of date. */
  begin?(): Promise<void>
  /** Runs in the transaction that moves the cursor. */
  handle(db: Database, events: readonly FeedEvent[]): Promise<void>
  afterCommit?(): void
}

export interface ConsumerContext {
  readonly db: Pool
  readonly feed: Feed
  readonly clock: Clock
  readonly log: Logger
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
  const owner = randomBytes(9).toString('base64url')
  while (!signal.aborted) {
    await lead(context, consumer, owner, signal).catch(error =>
      context.log.warn({ err: error }, `consumer ${consumer.name} begins again`),
    )
    await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
  }
  await releaseCursor(context.db, consumer.name, owner).catch(() => undefined)
}

async function lead(
  { db, feed, clock }: ConsumerContext,
  consumer: Consumer,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
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
      const next = events.at(-1)?.position as string
      const from = position
      await db.transaction(async inner => {
        // Work and cursor are lost together or not at all, so this commit need not wait for the disk.
        await inner.query('SET LOCAL synchronous_commit = off')
        await moveCursor(inner, consumer.name, owner, from, next, clock.now())
        await consumer.handle(inner, events)
      })
      position = next
      consumer.afterCommit?.()
      if (consumer.rest && events.length < batch)
        await sleep(consumer.rest, undefined, { signal, ref: false }).catch(() => undefined)
    }
  } finally {
    clearInterval(timer)
  }
}

/** A database that is away is no loss: nobody else can take the lease either. */
async function renewOrLose(db: Pool, name: string, owner: string, lost: AbortController): Promise<void> {
  const isHeld = await renewCursor(db, name, owner).catch(() => true)
  if (!isHeld) lost.abort()
}
