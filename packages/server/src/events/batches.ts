import { isAway, isConflict } from '../database/away.ts'
import { gently } from '../database/gently.ts'
import { codeOf } from '../flow/failures.ts'
import { soon } from '../flow/gaps.ts'
import { present } from '../flow/present.ts'
import { pause } from '../flow/timers.ts'
import { pauseAfter } from '../monitoring/trouble.ts'
import type { Consumer, ConsumerContext } from './consumer.ts'
import { LeadLost, moveCursor } from './cursors.ts'
import type { FeedEvent } from './feed-event.ts'

/** The leader of a consumer. */
export interface Lead {
  readonly context: ConsumerContext
  readonly consumer: Consumer
  readonly owner: string
  /** How many events were set aside since the last one that was handled. */
  inARow: number
}

const tries = 3
/** If nothing succeeds any more, the events are not the cause. */
const mostInARow = 20

/**
 * Handles events and moves the cursor from `from` past them. If handling fails because of the events, the
 * batch is halved repeatedly to find the failing event. That event is set aside, and all others are handled.
 */
export async function handleAll(lead: Lead, from: string, events: readonly FeedEvent[]): Promise<string> {
  try {
    return await handleBatch(lead, from, events)
  } catch (error) {
    if (!isOfEvents(error)) throw error
    if (events.length === 1) return handleDoubtful(lead, from, present(events[0], 'an event'))
  }
  const middle = events.length >> 1
  const half = await handleAll(lead, from, events.slice(0, middle))
  return handleAll(lead, half, events.slice(middle))
}

async function handleBatch(lead: Lead, from: string, events: readonly FeedEvent[]): Promise<string> {
  const { context, consumer, owner } = lead
  const to = present(events.at(-1), 'an event').position
  await consumer.prepare?.(events)
  await gently(context.db, soon).transaction(
    async inner => {
      await moveCursor(inner, consumer.name, owner, from, to, context.clock.now())
      await consumer.handle(inner, events)
    },
    { gives_way: consumer.gives_way },
  )
  lead.inARow = 0
  consumer.afterCommit?.()
  return to
}

async function handleDoubtful(lead: Lead, from: string, event: FeedEvent): Promise<string> {
  for (let count = 1; ; count++) {
    await pause(lead.context.timers, pauseAfter(count))
    try {
      return await handleBatch(lead, from, [event])
    } catch (error) {
      if (!isOfEvents(error)) throw error
      if (count < tries) continue
      if (lead.consumer.isWhole || lead.inARow >= mostInARow) throw stuckAt(event, error)
      return setAside(lead, from, event, error)
    }
  }
}

function stuckAt({ event, position }: FeedEvent, cause: unknown): Error {
  return new Error(`the event ${event.id} of ${event.organization_id} at ${position} cannot be handled`, {
    cause,
  })
}

async function setAside(lead: Lead, from: string, entry: FeedEvent, error: unknown): Promise<string> {
  const { consumer, context } = lead
  const { id: event_id, organization_id } = entry.event
  // `noteSetAside` of the consumer may fail just as handling did.
  await note(lead, from, entry, error, true).catch(() => note(lead, from, entry, error, false))
  lead.inARow++
  context.metrics.count('gatehouse_events_set_aside_total', { consumer: consumer.name })
  context.log.error({ err: error, event_id, organization_id }, `consumer ${consumer.name} set an event aside`)
  return entry.position
}

async function note(lead: Lead, from: string, entry: FeedEvent, error: unknown, isTold: boolean) {
  const { consumer, context, owner } = lead
  const { event, position } = entry
  const now = context.clock.now()
  await context.db.transaction(async inner => {
    await moveCursor(inner, consumer.name, owner, from, position, now)
    await inner.query(
      `INSERT INTO set_aside_events (consumer, event_id, organization_id, position, error, set_aside_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (consumer, event_id) DO UPDATE SET error = excluded.error, set_aside_at = excluded.set_aside_at`,
      [consumer.name, event.id, event.organization_id, position, nameOf(error), now],
    )
    if (isTold) await consumer.noteSetAside?.(inner, entry)
  })
}

/** Omits the message, which may contain the data to be written. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  return (codeOf(error) ?? name).slice(0, 100)
}

/** SQLSTATEs for data that PostgreSQL rejects, and for exceeded limits of PostgreSQL. */
const codesOfEvents = /^(2[123]|54)...$|^P0001$/
const codeOfPostgres = /^[0-9A-Z]{5}$/

/** Whether handling failed because of the events, not because of the database or of another leader. */
function isOfEvents(error: unknown): boolean {
  if (error instanceof LeadLost || isAway(error) || isConflict(error)) return false
  const code = codeOf(error)
  return code !== undefined && codeOfPostgres.test(code)
    ? codesOfEvents.test(code)
    : error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
