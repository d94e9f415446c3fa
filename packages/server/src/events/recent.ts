import { present } from '../flow/present.ts'
import type { FeedEvent } from './feed-event.ts'
import { comparePositions } from './position.ts'

const usual = 4096

/**
 * The latest events, of one organization or of all, shared by everyone who follows them. Entries are counted from the first that was
 * ever put in, so that a reader only remembers how many it has taken.
 */
export class RecentEvents {
  #entries: FeedEvent[] = []
  /** How many have been dropped: the number of the first entry that is held. */
  #dropped = 0
  /** Everything after this position is held. */
  #since: string
  #position: string
  #waiting = new Set<() => void>()
  /** How many are held at least; twice as many at the most. */
  readonly #most: number

  constructor(position: string, most = usual) {
    this.#most = most
    this.#since = position
    this.#position = position
  }

  /** Where the newest entry stands; everything to come lies after it. */
  get position(): string {
    return this.#position
  }

  /** How many were ever put in. */
  get count(): number {
    return this.#dropped + this.#entries.length
  }

  push(events: readonly FeedEvent[]): void {
    this.#entries.push(...events)
    this.#position = events.at(-1)?.position ?? this.#position
    if (this.#entries.length > 2 * this.#most) this.#drop(this.#entries.length - this.#most)
    for (const wake of [...this.#waiting]) wake()
  }

  /** Holds nothing of what came until now: whoever has not taken it asks the log. */
  forget(): void {
    this.#drop(this.#entries.length)
    this.#since = this.#position
  }

  #drop(count: number): void {
    const gone = this.#entries.splice(0, count)
    this.#dropped += count
    this.#since = gone.at(-1)?.position ?? this.#since
  }

  /** Waits until there are more than `count`, or the signal aborts. */
  waitBeyond(count: number, signal: AbortSignal): Promise<void> {
    if (this.count > count || signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  /** Those after the first `count`; undefined when some of them are gone. */
  after(count: number): readonly FeedEvent[] | undefined {
    return count < this.#dropped ? undefined : this.#entries.slice(count - this.#dropped)
  }

  /** How many entries lie at or before a position; undefined when that is older than what is held. */
  countUpTo(position: string): number | undefined {
    if (comparePositions(position, this.#since) < 0) return undefined
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (comparePositions(present(this.#entries[middle], 'an entry').position, position) <= 0)
        low = middle + 1
      else high = middle
    }
    return this.#dropped + low
  }
}
