import { present } from '../flow/present.ts'
import type { FeedEvent } from './feed-event.ts'
import { comparePositions } from './position.ts'

const usual = 4096

/**
 * The latest events of one organization or of all, shared by all followers. Entries are numbered from the
 * first that was ever added, so a reader only needs to remember how many it has taken.
 */
export class RecentEvents {
  #entries: FeedEvent[] = []
  /** How many entries were dropped, which is the number of the first entry still held. */
  #dropped = 0
  /** All events after this position are held. */
  #since: string
  #position: string
  #waiting = new Set<() => void>()
  /** The minimum number of entries kept. Up to twice as many are held. */
  readonly #most: number

  constructor(position: string, most = usual) {
    this.#most = most
    this.#since = position
    this.#position = position
  }

  /** The position of the newest entry. All future entries lie after it. */
  get position(): string {
    return this.#position
  }

  /** How many entries were ever added. */
  get count(): number {
    return this.#dropped + this.#entries.length
  }

  push(events: readonly FeedEvent[]): void {
    this.#entries.push(...events)
    this.#position = events.at(-1)?.position ?? this.#position
    if (this.#entries.length > 2 * this.#most) this.#drop(this.#entries.length - this.#most)
    for (const wake of [...this.#waiting]) wake()
  }

  /** Drops all entries. A reader that has not taken them reads the log. */
  forget(): void {
    this.#drop(this.#entries.length)
    this.#since = this.#position
  }

  #drop(count: number): void {
    const gone = this.#entries.splice(0, count)
    this.#dropped += count
    this.#since = gone.at(-1)?.position ?? this.#since
  }

  /** Waits until there are more than `count` entries, or the signal aborts. */
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

  /** Returns the entries after the first `count`, or undefined if some of them were dropped. */
  after(count: number): readonly FeedEvent[] | undefined {
    return count < this.#dropped ? undefined : this.#entries.slice(count - this.#dropped)
  }

  /** Returns the number of entries up to a position, or undefined if some after it were dropped. */
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
