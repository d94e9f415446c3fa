import { bodyOf } from '../../kit/body.ts'
import { takeMore } from '../authenticate.ts'
import type { Exchange } from '../exchange.ts'
import { runInParts } from '../idempotency.ts'
import type { BulkRun, Result } from './bulk-run.ts'
import { answerOf } from './operation.ts'
import { type Operation, readOperations } from './read-operations.ts'
import { runAtomic } from './run-atomic.ts'
import { runEach } from './run-each.ts'

/** `POST /bulk`. Every operation passes the pipeline, and counts towards the rate limit. */
export async function performBulk(exchange: Exchange): Promise<void> {
  const bulk = readOperations(bodyOf(exchange.request))
  const { operations, atomic } = bulk
  takeMore(exchange, operations.length - 1)
  const service = { ...exchange.service, limits: undefined }
  const run: BulkRun = { ...bulk, whole: exchange, service }
  const key = exchange.request.headers['idempotency-key']
  const given = key === undefined ? undefined : String(key)
  exchange.answer = atomic ? await runAtomic(run, given) : await answerEach(run, given)
  if (operations.some(wakesDeliveries)) exchange.service.context.deliveries.notify()
}

async function answerEach(run: BulkRun, key: string | undefined) {
  if (key === undefined) return answerOf(await runEach(run))
  return runInParts<Result>(run.whole, key, async ({ held, save }) =>
    answerOf(await runEach(run, held, save)),
  )
}

/** A delivery may be due only now that all is committed. */
function wakesDeliveries({ endpoint }: Operation): boolean {
  return endpoint.resource.owned_by_application === true && endpoint.method !== 'GET'
}
