import type { Database } from '../../database/db.ts'
import type { Timers } from '../../flow/timers.ts'

/** PINs of one length in an organization. */
interface Count {
  readonly counted: number
  /** In milliseconds of the process clock. */
  readonly at: number
}

const mostCounts = 10_000
/** Longest time in milliseconds that a count far below what is asked for is trusted. */
const longestBelief = 60_000
/** Assumed additions per millisecond, which limit how long a count is trusted: more than several imports at once reach. */
const pace = 10

/**
 * Counts claimed PINs, of which an organization can have millions, without doing so for each new one. A count is trusted for as long
 * as nobody could have filled the rest, so it never says that there is room where there is none. A count that reaches what is asked
 * for was made just now.
 */
export class PinCounts {
  readonly #counts = new Map<string, Count>()
  readonly #timers: Pick<Timers, 'elapsed'>

  constructor(timers: Pick<Timers, 'elapsed'>) {
    this.#timers = timers
  }

  /** Returns how many there are, as far as it matters whether there are fewer than `most`. */
  async count(db: Database, organizationId: string, length: number, most: number): Promise<number> {
    const key = `${organizationId} ${length}`
    const known = this.#counts.get(key)
    if (known && this.#isBelieved(known, most)) return known.counted
    const at = this.#timers.elapsed()
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM member_pins WHERE organization_id = $1 AND length = $2 AND is_claimed LIMIT $3) held`,
      [organizationId, length, most],
    )
    const counted = row?.count ?? 0
    if (counted < most) this.#keep(key, { counted, at })
    return counted
  }

  #isBelieved({ counted, at }: Count, most: number): boolean {
    return this.#timers.elapsed() - at < Math.min(longestBelief, (most - counted) / pace)
  }

  #keep(key: string, count: Count): void {
    const [oldest] = this.#counts.keys()
    if (!this.#counts.delete(key) && this.#counts.size >= mostCounts && oldest !== undefined)
      this.#counts.delete(oldest)
    this.#counts.set(key, count)
  }
}
