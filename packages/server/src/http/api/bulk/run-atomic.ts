import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../../../database/db.ts'
import { limitWaits } from '../../../database/locks.ts'
import { countPinLookup, uncountPinLookup } from '../../../services/members/pin-lookups.ts'
import { toRequestError } from '../../kit/errors.ts'
import type { LaneName } from '../../turnstile/turnstile.ts'
import type { Answer } from '../exchange.ts'
import { runOnce } from '../idempotency.ts'
import { laneOfExchange, weigh } from '../weigh.ts'
import { type BulkRun, isTooLarge, type Result, tooLarge } from './bulk-run.ts'
import { type Admitted, admit, answerOf } from './operation.ts'
import { performInOrder } from './perform-in-order.ts'
import type { Operation } from './read-operations.ts'

/**
 * How long one transaction and a wait in it may last, in the time that a request may wait for its turn (0.6 s).
 * While the transaction is open, the event feeds of all organizations wait.
 */
const longestRun = 1.5
const longestWait = 0.6
const mostAtOnce = 16

/** Runs all operations in one transaction. The first refusal ends it, and nothing has changed. */
export async function runAtomic(run: BulkRun, key: string | undefined): Promise<Answer> {
  const { whole } = run
  const atomic = new AtomicRun(run)
  const transact = (at_once: number) => {
    const work = (db: Database) => atomic.performAll(db, at_once)
    return key === undefined ? whole.db.transaction(work) : runOnce(whole, key, work)
  }
  try {
    const { lane, weight } = await atomic.admitAll()
    const answer = await whole.service.turnstile.run(lane, whole.caller.organization_id, weight, () =>
      transact(mostAtOnce).catch(async error => {
        if (!atomic.isUnsure()) throw error
        await atomic.forgetLookups()
        return transact(1)
      }),
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
  /** What is being run. */
  #at: readonly Admitted[] = []

  constructor(run: BulkRun) {
    this.#run = run
  }

  /** Admits all operations before the transaction, and returns the turn that they need. */
  async admitAll(): Promise<{ lane: LaneName; weight: number }> {
    for (const operation of this.#run.operations) this.#admitted.push(await this.#admit(operation))
    const exchanges = this.#admitted.map(({ exchange }) => exchange)
    const [lane = 'ordinary', ...others] = new Set(exchanges.map(laneOfExchange))
    const weight = exchanges.reduce((sum, exchange) => sum + weigh(exchange), 0)
    return { lane: others.length === 0 ? lane : 'ordinary', weight }
  }

  #admit(operation: Operation): Promise<Admitted> {
    return admit(this.#run, operation).catch(error => Promise.reject(this.#refuse(operation, error)))
  }

  async performAll(db: Database, at_once: number): Promise<Answer> {
    const { turn_wait } = this.#run.service.context.config
    const until = performance.now() + longestRun * turn_wait
    this.#at = []
    await limitWaits(db, Math.ceil(longestWait * turn_wait))
    const results = await performInOrder(this.#run, db, this.#admitted, {
      at_once,
      onPinLookup: this.#countLookup,
      mayBegin: (next, results) => this.#mayBegin(next, results, until),
    })
    this.#at = []
    return answerOf(results)
  }

  #mayBegin(next: readonly Admitted[], results: readonly Result[], until: number): true {
    this.#at = []
    if (performance.now() > until) throw tooLong
    this.#at = next
    if (isTooLarge(this.#run, results)) throw tooLarge
    return true
  }

  /** Whether it is not known which of several operations was refused first. */
  isUnsure(): boolean {
    return this.#at.length > 1
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

  /** Returns the error of the whole. */
  explain(error: unknown): unknown {
    const [one] = this.#at
    return one ? this.#refuse(one.operation, error) : error
  }

  /** Names the operation that was refused. Failures of the service stay what they are. */
  #refuse({ name }: Operation, error: unknown): unknown {
    const { message, args, status, type } = toRequestError(error, this.#run.whole.request.id)
    if (status >= 500) return error
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
