import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../../../database/db.ts'
import { limitWaits } from '../../../database/locks.ts'
import { present } from '../../../flow/present.ts'
import { isTakenOver, type Progress } from '../idempotency.ts'
import { laneOfExchange, weigh } from '../weigh.ts'
import { type BulkRun, finder, isTooLarge, type Result, tooLarge } from './bulk-run.ts'
import { type Admitted, admit, failed, perform } from './operation.ts'
import { performInOrder } from './perform-in-order.ts'
import type { Operation } from './read-operations.ts'

/** Milliseconds after which no further operation is begun. */
const longestRun = 20_000
/** The most operations that are committed together, and the milliseconds after which no other one joins. */
const mostTogether = 34
const longestTogether = 50
const longestWait = 100

type Save = Progress<Result>['save']

/** Runs the operations in order. Each succeeds or fails on its own. `held` are results of an earlier run. */
export async function runEach(run: BulkRun, held: readonly Result[] = [], save?: Save): Promise<Result[]> {
  const results = [...held]
  const until = performance.now() + longestRun
  while (results.length < run.operations.length) {
    const reason = reasonToStop(run, results, until)
    results.push(...(reason ? failRest(run, results, reason) : await runNext(run, results, save)))
  }
  return results
}

function failRest({ operations, whole }: BulkRun, results: readonly Result[], error: unknown): Result[] {
  return operations.slice(results.length).map(operation => failed(operation, whole, error))
}

function reasonToStop(run: BulkRun, results: readonly Result[], until: number): RequestError | undefined {
  if (isTooLarge(run, results)) return tooLarge
  return performance.now() > until || run.whole.request.raw.socket.destroyed ? tooLate : undefined
}

const tooLate = new RequestError(
  'unavailable',
  'not attempted: the operations before it took too long; send it in another request',
  { args: { reason: 'not_attempted' }, headers: { 'retry-after': '1' } },
)

/** Runs the next operations in one turn. If there is none for the first, the whole request is refused. */
async function runNext(run: BulkRun, results: readonly Result[], save?: Save): Promise<Result[]> {
  const [operation, ...later] = run.operations.slice(results.length)
  const first = await tryAdmit(run, present(operation, 'an operation'))
  if ('status' in first) return [first]
  const batch = [first, ...(await admitWith(run, first, later))]
  const { organization_id } = run.whole.caller
  const weight = batch.reduce((sum, { exchange }) => sum + weigh(exchange), 0)
  try {
    return await run.service.turnstile.run(laneOfExchange(first.exchange), organization_id, weight, () =>
      batch.length > 1 ? runTogether(run, batch, results, save) : runInTurn(run, batch, results, save),
    )
  } catch (error) {
    if (results.length === 0 || isTakenOver(error)) throw error
    return failRest(run, results, error)
  }
}

function tryAdmit(run: BulkRun, operation: Operation): Promise<Admitted | Result> {
  return admit(run, operation).catch((error: unknown) => failed(operation, run.whole, error))
}

/** Admits what can be committed together with the first operation. The first that cannot waits for its own turn. */
async function admitWith(run: BulkRun, first: Admitted, later: readonly Operation[]): Promise<Admitted[]> {
  const batch: Admitted[] = []
  const lane = laneOfExchange(first.exchange)
  if (!isPlain(first.operation)) return batch
  for (const operation of later.slice(0, mostTogether - 1)) {
    if (!isPlain(operation)) break
    const next = await admit(run, operation).catch(() => undefined)
    if (!next || laneOfExchange(next.exchange) !== lane) break
    batch.push(next)
  }
  return batch
}

/** Others may do anything within their transactions, such as waiting for somebody else. */
function isPlain({ endpoint }: Operation): boolean {
  return endpoint.verb === 'create' || endpoint.verb === 'edit' || endpoint.verb === 'delete'
}

/**
 * Commits several operations at once, which costs a fraction of as many commits. If one of them is refused,
 * nothing is committed, and each is run on its own.
 */
async function runTogether(
  run: BulkRun,
  batch: readonly Admitted[],
  results: readonly Result[],
  save?: Save,
): Promise<Result[]> {
  let isCommitting = false
  try {
    return await run.whole.db.transaction(async db => {
      isCommitting = false
      const until = performance.now() + longestTogether
      await limitWaits(db, longestWait)
      const done = await performInOrder(run, db, batch, {
        held: results,
        at_once: mostTogether,
        onPinLookup: uncounted,
        mayBegin: () => performance.now() < until,
      })
      await save?.(db, [...results, ...done])
      isCommitting = true
      return done
    })
  } catch (error) {
    if (isTakenOver(error)) throw error
    if (!isCommitting) return runInTurn(run, batch, results, save)
    // The commit failed, perhaps after it was done: nothing is repeated.
    return batch.map(({ operation }) => failed(operation, run.whole, error))
  }
}

/** What is refused here is tried again on its own, and counted then. */
async function uncounted(): Promise<void> {}

/** Runs each operation in a transaction of its own. */
async function runInTurn(
  run: BulkRun,
  batch: readonly Admitted[],
  results: readonly Result[],
  save?: Save,
): Promise<Result[]> {
  const done: Result[] = []
  for (const one of batch) done.push(await runAlone(run, one, [...results, ...done], save))
  return done
}

async function runAlone(
  run: BulkRun,
  one: Admitted,
  results: readonly Result[],
  save?: Save,
): Promise<Result> {
  const { db } = run.whole
  const { method, verb, bulk } = one.operation.endpoint
  const isStored = save && method !== 'GET' && verb !== 'query' && bulk !== 'not_atomic'
  const performIn = (inner: Database) => perform(one, finder(run, results), inner)
  try {
    if (!isStored) return await performIn(db)
    return await db.transaction(async inner => {
      const result = await performIn(inner)
      await save(inner, [...results, result])
      return result
    })
  } catch (error) {
    if (isTakenOver(error)) throw error
    return failed(one.operation, run.whole, error)
  }
}
