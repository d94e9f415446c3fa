import type { FeedEvent } from './feed-event.ts'
import { comparePositions } from './position.ts'
import { RecentEvents } from './recent.ts'

/** As many as the slowest consumer lags behind the quickest when much happens. */
const mostEvents = 2048

/** A question to the database that several readers wait for. */
interface Asked {
  readonly after: string
  readonly count: number
  readonly call: unknown
  readonly events: Promise<FeedEvent[]>
}

/**
 * What was read of the whole feed last: whoever follows closely behind another reader takes it from here, and the
 * database is asked once. What lies behind a position never changes once it was read, so this holds no less than the log.
 */
export class SharedEvents {
  #recent: RecentEvents | undefined
  #asked: Asked | undefined

  /** Up to `count` events after a position; undefined when the database has to be asked. */
  find(after: string, count: number): FeedEvent[] | undefined {
    const passed = this.#recent?.countUpTo(after)
    if (passed === undefined) return undefined
    const events = this.#recent?.after(passed)?.slice(0, count)
    return events && events.length > 0 ? events : undefined
  }

  /**
   * Readers that one call has woken ask together. Who was called since must ask anew: the answer under way may be without
   * what the call was for. Where the question fails, the others ask by themselves.
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

  /** What came after a position. Kept if it continues what is held, or is beyond it. */
  add(after: string, events: readonly FeedEvent[]): void {
    if (events.length === 0) return
    if (!this.#recent || comparePositions(after, this.#recent.position) > 0)
      this.#recent = new RecentEvents(after, mostEvents)
    if (this.#recent.position === after) this.#recent.push(events)
  }

  /** After a failure: the database that answers next may be a copy that lacks what was read. */
  clear(): void {
    this.#recent = undefined
  }
}
