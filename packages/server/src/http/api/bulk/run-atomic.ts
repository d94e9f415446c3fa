import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../../../database/db.ts'
import { countPinLookup, uncountPinLookup } from '../../../services/members/pin-lookups.ts'
import { toRequestError } from '../../kit/errors.ts'
import type { LaneName } from '../../turnstile/turnstile.ts'
import type { Answer } from '../exchange.ts'
import { runOnce } from '../idempotency.ts'
import { laneOfExchange, weigh } from '../weigh.ts'
import { type BulkRun, finder, isTooLarge, type Result, tooLarge } from './bulk-run.ts'
import { limitWaits } from './limit-waits.ts'
import { type Admitted, admit, answerOf, perform } from './operation.ts'
import type { Operation } from './read-operations.ts'

/** Milliseconds in one transaction. While it is open, the event feeds of all organizations wait. */
const longestRun = 800
const longestWait = 400

/** Runs all operations in one transaction. The first refusal ends it, and nothing has changed. */
export async function runAtomic(run: BulkRun, key: string | undefined): Promise<Answer> {
  const { whole } = run
  const atomic = new AtomicRun(run)
  const work = (db: Database) => atomic.performAll(db)
  try {
    const { lane, weight } = await atomic.admitAll()
    const answer = await whole.service.turnstile.run(lane, whole.caller.organization_id, weight, () =>
      key === undefined ? whole.db.transaction(work) : runOnce(whole, key, work),
    )
    await atomic.forgetLookups()
    return answer
  } catch (error) {
    if (toRequestError(error, '').status >= 500) await atomic.forgetLookups()
    throw atomic.explain(error)
  }
}

class AtomicRun {
  readonly #run: BulkRun
  readonly #admitted: Admitted[] = []
  #lookups: string[] = []
  /** The operation that is being run. */
  #at: Operation | undefined

  constructor(run: BulkRun) {
    this.#run = run
  }

  /** Admits all operations before the transaction, and returns the turn that they need. */
  async admitAll(): Promise<{ lane: LaneName; weight: number }> {
    for (const operation of this.#run.operations) {
      this.#at = operation
      this.#admitted.push(await admit(this.#run, operation))
    }
    this.#at = undefined
    const exchanges = this.#admitted.map(({ exchange }) => exchange)
    const [lane = 'ordinary', ...others] = new Set(exchanges.map(laneOfExchange))
    const weight = exchanges.reduce((sum, exchange) => sum + weigh(exchange), 0)
    return { lane: others.length === 0 ? lane : 'ordinary', weight }
  }

  async performAll(db: Database): Promise<Answer> {
    const results: Result[] = []
    const begun = performance.now()
    this.#at = undefined
    await limitWaits(db, longestWait)
    for (const one of this.#admitted) {
      if (performance.now() - begun > longestRun) throw tooLong
      this.#at = one.operation
      if (isTooLarge(results)) throw tooLarge
      results.push(await perform(one, finder(this.#run, results), db, this.#countLookup))
      this.#at = undefined
    }
    return answerOf(results)
  }

  /**
   * Counts lookups of PINs as they happen. Otherwise a bulk could try many PINs, fail on purpose, and leave
   * one trace or none.
   */
  readonly #countLookup = async () => {
    const { context } = this.#run.service
    this.#lookups.push(await countPinLookup(context, this.#run.whole.caller))
  }

  async forgetLookups(): Promise<void> {
    const { context } = this.#run.service
    for (const at of this.#lookups.splice(0)) await uncountPinLookup(context, this.#run.whole.caller, at)
  }

  /** Returns the error of the whole. It names the operation that was refused. */
  explain(error: unknown): unknown {
    const { message, args, status, type } = toRequestError(error, this.#run.whole.request.id)
    if (!this.#at || status >= 500) return error
    const { name } = this.#at
    return new RequestError(
      'invalid_request',
      `operation ${name} was refused, so nothing has changed: ${message}`,
      { args: { ...args, operation: name, status: String(status), error: type }, cause: error },
    )
  }
}

const tooLong = new RequestError(
  'unavailable',
  'the operations take too long for one transaction, so nothing has changed; try again, or send fewer',
  { args: { reason: 'too_long' }, headers: { 'retry-after': '1' } },
)
