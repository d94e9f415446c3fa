import { RequestError } from '@gatehouse-access/api'
import { declaredQuotas, type Quota, type QuotaLimits, type QuotaName } from '../../config/quotas.ts'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { systemTimers, type Timers } from '../../flow/timers.ts'

/** The known usage of one holder. */
interface Tally {
  readonly counted: number
  /** Taken in this process since the count. */
  added: number
  /** When the count ended and how long it took, in milliseconds of the process clock. */
  readonly at: number
  readonly cost: number
}

/** What a count does not find. */
interface Unwritten {
  /** How many more are asked for as if they were there. */
  readonly foreseen?: number
  /** How many were taken and are not written yet. */
  readonly pending?: number
}

const mostTallies = 10_000
/** Longest time in milliseconds that a count far below its quota is trusted. */
const longestBelief = 60_000
/** Assumed additions per millisecond by other processes, which limit how long a count is trusted. */
const pace = 1

/**
 * Enforces quotas without counting for every object. A count is trusted for as long as other processes could
 * not have filled the remaining room, and what is taken here is added to it. Near the quota, the objects are
 * counted again before a request is refused, but counting never takes more than a tenth of the time. So a
 * quota can be exceeded only by the requests in flight at that moment.
 */
export class Quotas {
  #tallies = new Map<string, Tally>()
  #underWay = new Map<string, Promise<Tally>>()
  readonly #limits: QuotaLimits
  readonly #clock: Clock
  readonly #timers: Pick<Timers, 'elapsed'>

  constructor(limits: QuotaLimits, clock: Clock, timers: Pick<Timers, 'elapsed'> = systemTimers) {
    this.#timers = timers
    this.#limits = limits
    this.#clock = clock
  }

  most(name: QuotaName): number {
    return this.#limits[name]
  }

  /** Takes room for `amount` more, or throws `quota_exceeded`. If a count is needed, it runs on `db`. */
  take(
    db: Database,
    name: QuotaName,
    holder: readonly string[],
    amount = 1,
    { foreseen = 0, pending = 0 }: Unwritten = {},
  ): void | Promise<void> {
    const key = keyOf(name, holder)
    const tally = this.#tallies.get(key) ?? this.#assume(key, declaredQuotas[name])
    if (tally && this.#hasRoom(tally, name, amount + foreseen)) tally.added += amount
    else return this.#takeCounted(db, name, holder, amount, { foreseen, pending })
  }

  /** Throws unless there is room for `amount` more, and takes none of it. */
  async check(db: Database, name: QuotaName, holder: readonly string[], amount: number): Promise<void> {
    const key = keyOf(name, holder)
    const held = this.#tallies.get(key)
    if (held && this.#hasRoom(held, name, amount)) return
    const { counted, added } = await this.#freshTally(db, name, holder, key)
    if (counted + added + amount > this.#limits[name]) throw exceeded(name, this.#limits[name])
  }

  /**
   * Counts again what was counted before and is no longer trusted, so that no transaction has to wait for it. After the caller has made
   * room, a full quota is counted however short ago that was done.
   */
  async renew(
    db: Database,
    names: readonly QuotaName[],
    holder: readonly string[],
    { has_made_room = false } = {},
  ): Promise<void> {
    for (const name of names) {
      const key = keyOf(name, holder)
      const held = this.#tallies.get(key)
      if (!held || this.#hasRoom(held, name, 1)) continue
      if (has_made_room) await this.#count(db, name, holder, key)
      else await this.#freshTally(db, name, holder, key)
    }
  }

  /** Gives back room that was taken in a transaction which is rolled back. Call it before that. */
  giveBack(name: QuotaName, holder: readonly string[], amount = 1): void {
    const tally = this.#tallies.get(keyOf(name, holder))
    // If it was counted since, in the transaction, the count has what was taken before.
    if (tally) tally.added -= amount
  }

  #assume(key: string, { uncounted = 0 }: Quota): Tally | undefined {
    if (uncounted === 0) return undefined
    const tally = { counted: 0, added: 0, at: this.#timers.elapsed(), cost: 0 }
    this.#keep(key, tally)
    return tally
  }

  async #takeCounted(
    db: Database,
    name: QuotaName,
    holder: readonly string[],
    amount: number,
    { foreseen, pending }: Required<Unwritten>,
  ): Promise<void> {
    const key = keyOf(name, holder)
    const held = this.#tallies.get(key)
    const tally = await this.#freshTally(db, name, holder, key)
    if (tally !== held) tally.added += pending
    if (tally.counted + tally.added + amount + foreseen > this.#limits[name])
      throw exceeded(name, this.#limits[name])
    tally.added += amount
  }

  #hasRoom({ counted, added, at }: Tally, name: QuotaName, amount: number): boolean {
    const { uncounted = 0 }: Quota = declaredQuotas[name]
    const room = this.#limits[name] - counted - added - amount
    if (counted === 0 && added < uncounted) return room >= 0
    return room >= 0 && this.#timers.elapsed() - at < Math.min(longestBelief, room / pace)
  }

  /** Requests that arrive during a count wait for it, unless it fails. */
  async #freshTally(db: Database, name: QuotaName, holder: readonly string[], key: string): Promise<Tally> {
    const held = this.#tallies.get(key)
    if (held && this.#timers.elapsed() - held.at < 10 * held.cost) return held
    const underWay = await this.#underWay.get(key)?.catch(() => undefined)
    return underWay ?? this.#count(db, name, holder, key)
  }

  async #count(db: Database, name: QuotaName, holder: readonly string[], key: string): Promise<Tally> {
    const counting = this.#ask(db, name, holder)
    this.#underWay.set(key, counting)
    try {
      const tally = await counting
      this.#keep(key, tally)
      return tally
    } finally {
      this.#underWay.delete(key)
    }
  }

  async #ask(db: Database, name: QuotaName, holder: readonly string[]): Promise<Tally> {
    const begun = this.#timers.elapsed()
    const values = { now: this.#clock.now(), most: this.#limits[name] + 1 }
    const { text, params } = fill(declaredQuotas[name].statement, holder, values)
    const [row] = await db.query<{ count: number }>(text, params)
    const at = this.#timers.elapsed()
    return { counted: row?.count ?? 0, added: 0, at, cost: at - begun }
  }

  #keep(key: string, tally: Tally): void {
    const [oldest] = this.#tallies.keys()
    if (!this.#tallies.delete(key) && this.#tallies.size >= mostTallies && oldest)
      this.#tallies.delete(oldest)
    this.#tallies.set(key, tally)
  }
}

function keyOf(name: QuotaName, holder: readonly string[]): string {
  return `${name} ${holder.join(' ')}`
}

/** Numbers `$now` and `$most` after the parameters of the holder. */
function fill(statement: string, holder: readonly string[], values: Record<string, unknown>) {
  const params: unknown[] = [...holder]
  const text = statement.replace(/\$(now|most)/g, (_, name: string) => `$${params.push(values[name])}`)
  return { text, params }
}

export function exceeded(name: QuotaName, quota: number): RequestError {
  const [kind = name, holder = 'organization'] = name.split('.').reverse()
  const words = kind.replaceAll('_', ' ')
  return new RequestError(
    'quota_exceeded',
    `${holder === 'organization' ? 'an organization' : `a ${holder}`} can have ${quota} ${words}${words.endsWith('s') ? '' : 's'}, and this one has reached that quota; delete some, or ask the operator for a larger quota`,
    { args: { kind, quota: String(quota) } },
  )
}
