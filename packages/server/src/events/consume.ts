import { isUnavailable } from '../database/away.ts'
import type { Pool } from '../database/db.ts'
import { every, pause } from '../flow/timers.ts'
import { pauseAfter, Trouble } from '../monitoring/trouble.ts'
import { handleAll, type Lead } from './batches.ts'
import type { Consumer, ConsumerContext } from './consumer.ts'
import { acquireCursor, LeadLost, releaseCursor, renewCursor } from './cursors.ts'

const batch = 100
const renewal = 2000
const shortestPause = 500

/**
 * Runs a consumer until the signal aborts.
 *
 *   waiting ── the lease is free ──▶ leading ── a batch: move the cursor, handle it, commit ──▶ leading
 *      ▲                                │
 *      └── the lease was lost, or a batch failed: begin again from the stored cursor
 *
 * Invariant: the work of `handle` commits together with the cursor, which moves from the exact position that
 * was read from. The lease only saves processes from duplicate work: a leader that lost it without noticing
 * finds that the cursor has moved.
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
    await pause(context.timers, Math.max(shortestPause, pauseAfter(failures)), signal)
  }
  await releaseCursor(context.db, consumer.name, owner).catch(() => undefined)
}

async function follow(lead: Lead, signal: AbortSignal, succeed: () => void): Promise<void> {
  const { consumer, owner } = lead
  const { db, feed, clock, timers } = lead.context
  let position = await acquireCursor(db, consumer.name, owner, clock.now())
  if (position === undefined) return
  const lost = new AbortController()
  const stop = every(timers, renewal, () => void renewOrLose(db, consumer.name, owner, lost))
  try {
    await consumer.begin?.()
    for await (const events of feed.read({
      after: position,
      batch,
      signal: AbortSignal.any([signal, lost.signal]),
    })) {
      if (consumer.patience && events.length < batch) await pause(timers, consumer.patience, signal)
      position = await handleAll(lead, position, events)
      succeed()
      if (consumer.rest && events.length < batch) await pause(timers, consumer.rest, signal)
    }
  } finally {
    stop()
  }
}

/** If the database is unreachable, the lease counts as held: no other process can take it either. */
async function renewOrLose(db: Pool, name: string, owner: string, lost: AbortController): Promise<void> {
  const isHeld = await renewCursor(db, name, owner).catch(() => true)
  if (!isHeld) lost.abort()
}
