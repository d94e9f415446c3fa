import type { Feed } from '../../events/feed.ts'
import type { FeedEvent } from '../../events/feed-event.ts'
import { comparePositions } from '../../events/position.ts'
import type { RecentEvents } from '../../events/recent.ts'
import type { Tail } from '../../events/tail.ts'
import { present } from '../../flow/present.ts'
import { streamReads } from './reads.ts'

interface SubscriptionOptions {
  readonly organization_id: string
  /** Absent: from now on. */
  readonly after?: string | undefined
  readonly signal: AbortSignal
}

export interface Subscription {
  /** The start position. Resuming from it misses nothing. */
  readonly cursor: string
  /** Every event of the organization after the cursor, once and in order, until the signal aborts. */
  batches(): AsyncGenerator<readonly FeedEvent[], void, undefined>
}

type Sources = { readonly feed: Feed; readonly tail: Tail }

/** Throws `cursor_ahead` if there is nothing to continue from. */
export async function subscribe(sources: Sources, options: SubscriptionOptions): Promise<Subscription> {
  const { organization_id, after } = options
  if (after !== undefined)
    await streamReads.pass(organization_id, async () =>
      options.signal.aborted ? undefined : sources.feed.check(after),
    )
  const { recent, stop } = await sources.tail.follow(organization_id)
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop, { once: true })
  const cursor = after ?? (await streamReads.pass(organization_id, () => sources.feed.head()))
  return { cursor, batches: () => follow(sources.feed, recent, options, { after: cursor }) }
}

interface ReadPosition {
  after: string
}

/**
 * Follows the events of one organization.
 *
 *   catching up: read the log until the next event is among the recent events
 *      │   ▲
 *      ▼   └── a slow reader fell behind the recent events: it costs no memory
 *   live: take the recent events, which all readers share
 */
async function* follow(
  feed: Feed,
  recent: RecentEvents,
  options: SubscriptionOptions,
  place: ReadPosition,
): AsyncGenerator<readonly FeedEvent[], void, undefined> {
  while (!options.signal.aborted) {
    yield* catchUp(feed, recent, options, place)
    yield* takeRecent(recent, options.signal, place)
  }
}

/** Reads from the log while the recent events do not reach back to the cursor. */
async function* catchUp(
  feed: Feed,
  recent: RecentEvents,
  { organization_id, signal }: SubscriptionOptions,
  place: ReadPosition,
): AsyncGenerator<readonly FeedEvent[], void, undefined> {
  while (!signal.aborted && recent.countUpTo(place.after) === undefined) {
    const { until, page } = await streamReads.pass(organization_id, async () => ({
      until: recent.position,
      page: signal.aborted ? [] : await feed.page({ organization_id, after: place.after }),
    }))
    // Later events come from the recent events and would otherwise arrive twice.
    const batch = page.filter(({ position }) => comparePositions(position, until) <= 0)
    const isDone = batch.length < page.length || page.length === 0
    if (batch.length > 0) yield batch
    place.after = isDone ? until : present(page.at(-1), 'the last event').position
  }
}

async function* takeRecent(
  recent: RecentEvents,
  signal: AbortSignal,
  place: ReadPosition,
): AsyncGenerator<readonly FeedEvent[], void, undefined> {
  let count = recent.countUpTo(place.after)
  // The cursor may be ahead of the tail. Events up to the cursor must not be sent.
  let isAhead = comparePositions(place.after, recent.position) > 0
  while (!signal.aborted && count !== undefined) {
    await recent.waitBeyond(count, signal)
    const batch = recent.after(count)
    if (batch === undefined) return
    const { after } = place
    const fresh = isAhead ? batch.filter(({ position }) => comparePositions(position, after) > 0) : batch
    if (fresh.length > 0) yield fresh
    count += batch.length
    isAhead &&= fresh.length === 0
    place.after = fresh.at(-1)?.position ?? after
  }
}
