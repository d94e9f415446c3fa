import type { FeedEvent } from './feed-event.ts'
import { comparePositions } from './position.ts'
import { RecentEvents } from './recent.ts'

/** Roughly how far the slowest consumer lags behind the fastest under high load. */
const mostEvents = 2048

/** A query that several readers wait for. */
interface Asked {
  readonly after: string
  readonly count: number
  readonly call: unknown
  readonly events: Promise<FeedEvent[]>
}

/**
 * The latest events of the whole feed. A reader close behind another takes them from here, so that the
 * database is queried once. What follows a position never changes once read, so this is as complete as the
 * log.
 */
export class SharedEvents {
  #recent: RecentEvents | undefined
  #asked: Asked | undefined

  /** Returns up to `count` events after a position, or undefined if the database must be queried. */
  find(after: string, count: number): FeedEvent[] | undefined {
    const passed = this.#recent?.countUpTo(after)
    if (passed === undefined) return undefined
    const events = this.#recent?.after(passed)?.slice(0, count)
    return events && events.length > 0 ? events : undefined
  }

  /**
   * Lets readers woken by the same notification share one query. A reader with a later notification must
   * query again, because the query in flight may miss what it announced. If the query fails, the others query
   * on their own.
   */
  join(after: string, count: number, call: unknown, ask: () => Promise<FeedEvent[]>): Promise<FeedEvent[]> {
    const asked = this.#asked
    if (asked?.after === after && asked.count === count && asked.call === call) return asked.events.catch(ask)
    const events = ask().finally(() => {
      if (this.#asked?.events === events) this.#asked = undefined
    })
    this.#asked = { after, count, call, events }
    return events
  }

  /** Adds the events after a position, if they continue what is held or lie beyond it. */
  add(after: string, events: readonly FeedEvent[]): void {
    if (events.length === 0) return
    if (!this.#recent || comparePositions(after, this.#recent.position) > 0)
      this.#recent = new RecentEvents(after, mostEvents)
    if (this.#recent.position === after) this.#recent.push(events)
  }

  /** Called after a failure: the database that answers next may be a copy that lacks what was read. */
  clear(): void {
    this.#recent = undefined
  }
}
