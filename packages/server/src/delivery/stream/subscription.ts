import { Alarm } from '../../events/bell.ts'
import type { Feed, FeedEvent } from '../../events/feed.ts'
import { comparePositions } from '../../events/position.ts'
import type { Tail } from '../../events/tail.ts'

export interface SubscriptionOptions {
  readonly organization_id: string
  /** Absent: from now on. */
  readonly after?: string | undefined
  readonly signal: AbortSignal
}

export interface Subscription {
  /** Where it begins: resuming from here misses nothing. */
  readonly cursor: string
  /** Every event of the organization after the cursor, once and in order, until the signal aborts. */
  batches(): AsyncGenerator<readonly FeedEvent[], void, undefined>
}

type Sources = { readonly feed: Feed; readonly tail: Tail }

/** More than this and a slow reader is served from the log again, so that it costs no memory. */
const longestBuffer = 1000

/**
 * Follows the events of one organization.
 *
 *   catching up: read the log up to where the tail stood when it was joined
 *      │   ▲
 *      ▼   └── the buffer overflowed: the reader is slow
 *   live: take what the tail puts into the buffer
 */
export async function subscribe(sources: Sources, options: SubscriptionOptions): Promise<Subscription> {
  const live = await joinTail(sources.tail, options)
  const cursor = options.after ?? live.position
  return { cursor, batches: () => follow(sources, options, cursor, live) }
}

async function* follow(
  sources: Sources,
  options: SubscriptionOptions,
  from: string,
  joined: Live,
): AsyncGenerator<readonly FeedEvent[], void, undefined> {
  let [after, live] = [from, joined]
  try {
    while (!options.signal.aborted) {
      for await (const batch of catchUp(sources.feed, options, after, live.position)) {
        yield batch
        after = batch.at(-1)?.position ?? after
      }
      for await (const batch of live.take()) {
        yield batch
        after = batch.at(-1)?.position ?? after
      }
      live.stop()
      if (!options.signal.aborted) live = await joinTail(sources.tail, options)
    }
  } finally {
    live.stop()
  }
}

/** What the log holds after one position and up to another. */
async function* catchUp(
  feed: Feed,
  { organization_id, signal }: SubscriptionOptions,
  from: string,
  until: string,
): AsyncGenerator<readonly FeedEvent[], void, undefined> {
  let after = from
  while (!signal.aborted && comparePositions(after, until) < 0) {
    const page = await feed.page({ organization_id, after })
    const batch = page.filter(({ position }) => comparePositions(position, until) <= 0)
    if (batch.length > 0) yield batch
    if (batch.length < page.length || page.length === 0) return
    after = page.at(-1)?.position as string
  }
}

interface Live {
  readonly position: string
  /** Ends when the buffer overflowed or the signal aborted. */
  take(): AsyncGenerator<readonly FeedEvent[], void, undefined>
  stop(): void
}

async function joinTail(tail: Tail, { organization_id, signal }: SubscriptionOptions): Promise<Live> {
  const alarm = new Alarm()
  let buffer: FeedEvent[] = []
  let isOverflown = false
  const { position, stop } = await tail.follow(organization_id, events => {
    isOverflown ||= buffer.length + events.length > longestBuffer
    if (isOverflown) buffer = []
    else buffer.push(...events)
    alarm.ring()
  })
  const wake = () => alarm.ring()
  signal.addEventListener('abort', wake)
  async function* take() {
    while (!signal.aborted && !isOverflown) {
      const rung = alarm.armed()
      const batch = buffer
      buffer = []
      if (batch.length > 0) yield batch
      else await rung
    }
  }
  return {
    position,
    take,
    stop() {
      stop()
      signal.removeEventListener('abort', wake)
    },
  }
}
