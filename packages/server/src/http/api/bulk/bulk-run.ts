import { RequestError } from '@gatehouse-access/api'
import type { Exchange, Service } from '../exchange.ts'
import type { Bulk } from './read-operations.ts'

/** A bulk that is being run. */
export interface BulkRun extends Bulk {
  /** The request. */
  readonly whole: Exchange
  /** The service as its operations see it: the bulk has taken from the rate limit for all of them. */
  readonly service: Service
}

/** What became of an operation. */
export interface Result {
  readonly status: number
  /** The entry of the answer, as JSON. */
  readonly text: string
  /** The id of the object, if a later operation refers to it. */
  readonly object_id?: string | undefined
}

/** Finds results by the ids of their operations. Results are in the order of the operations. */
export function finder({ named }: BulkRun, results: readonly Result[]) {
  return (id: string) => results[named.get(id)?.index ?? -1]
}
export type Finder = ReturnType<typeof finder>

const largest = 4 * 1024 * 1024
/** What is answered to a request with an Idempotency-Key is stored for a day. */
const largestStored = 1024 * 1024

/** Whether there are so many characters of results that no further operation is begun. */
export function isTooLarge({ whole }: BulkRun, results: readonly Result[]): boolean {
  const isStored = whole.request.headers['idempotency-key'] !== undefined
  return results.reduce((size, { text }) => size + text.length, 0) > (isStored ? largestStored : largest)
}

export const tooLarge = new RequestError(
  'invalid_request',
  'not attempted: the results before it are too large already; send it in another request',
  { args: { reason: 'answer_too_large' } },
)
