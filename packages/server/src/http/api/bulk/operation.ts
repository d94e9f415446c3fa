import type { Database } from '../../../database/db.ts'
import { isRecord } from '../../../flow/record.ts'
import { reportFailure, toRequestError } from '../../kit/errors.ts'
import { countAnswer } from '../count-answer.ts'
import { type Answer, type Asked, type Exchange, openExchange, type Run } from '../exchange.ts'
import type { BulkRun, Finder, Result } from './bulk-run.ts'
import { type Operation, refusal } from './read-operations.ts'
import { replaceReferences, replaceText } from './references.ts'

/** An operation whose caller may ask for it. */
export interface Admitted {
  readonly operation: Operation
  readonly exchange: Exchange
  readonly perform: Run
}

/** Identifies the caller and checks its rights, as for a request of its own. */
export async function admit({ service, whole }: BulkRun, operation: Operation): Promise<Admitted> {
  const steps = service.operationOf(operation.endpoint)
  const exchange = openExchange(service, operation.endpoint, asRequest(whole.request, operation), whole.reply)
  await steps.admit(exchange)
  return { operation, exchange, perform: steps.perform }
}

/** The operation as a request. It has the headers of the bulk, but for those that concern the whole. */
function asRequest({ id, headers, ip, raw, log }: Asked, { given, params, query }: Operation): Asked {
  const { method, path, body, if_match } = given
  const { 'idempotency-key': _key, 'if-match': _etag, ...inherited } = headers
  const own = if_match === undefined ? inherited : { ...inherited, 'if-match': if_match }
  return { id, headers: own, ip, raw, log, method, url: path, params, query, body }
}

/** Performs an operation in `db`. Throws if it is refused. */
export async function perform(
  { operation, exchange, perform: run }: Admitted,
  find: Finder,
  db: Database,
  onPinLookup?: Exchange['onPinLookup'],
): Promise<Result> {
  const request = hasReferences(operation) ? resolve(operation, exchange.request, find) : exchange.request
  const inner = { ...exchange, request, db, onPinLookup }
  await run(inner)
  const result = resultOf(operation, inner.answer)
  countAnswer(inner, result.status)
  return result
}

function resolve(operation: Operation, request: Asked, find: Finder): Asked {
  const idOf = (name: string) => {
    const object_id = find(name)?.object_id
    if (object_id === undefined)
      throw refusal(
        operation,
        'body',
        `it refers to the operation ${name}, which has no object as its result`,
      )
    return object_id
  }
  const params = Object.entries(operation.params).map(([name, text]) => [name, replaceText(text, idOf)])
  return { ...request, params: Object.fromEntries(params), body: replaceReferences(request.body, idOf) }
}

function hasReferences({ references }: Operation): boolean {
  return references.names.size > 0 || references.has_escaped
}

/** A longer answer than this is not searched for its id: parsing it would hold up others. */
const longestSearched = 256 * 1024

function resultOf(operation: Operation, { status = 200, text, headers }: Answer): Result {
  return {
    status,
    text: entryOf(operation, status, text, headers),
    object_id: operation.is_referred && text.length < longestSearched ? idIn(text) : undefined,
  }
}

/** Returns the answer of the whole. */
export function answerOf(results: readonly Result[]): Answer {
  return { text: `{"results":[${results.map(({ text }) => text).join(',')}]}`, headers: {} }
}

function idIn(text: string): string | undefined {
  const answer: unknown = JSON.parse(text)
  return isRecord(answer) && typeof answer.id === 'string' ? answer.id : undefined
}

function entryOf(
  { given }: Operation,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): string {
  const id = JSON.stringify(given.id ?? null)
  return `{"id":${id},"status":${status},"body":${body},"headers":${JSON.stringify(headers)}}`
}

/** Returns the result of an operation that was refused or failed. */
export function failed(operation: Operation, whole: Exchange, error: unknown): Result {
  const { request } = whole
  const failure = toRequestError(error, request.id)
  const { status } = failure
  // Where the service itself refuses, there is nothing to report.
  if (failure !== error) reportFailure(failure, request, operation.endpoint.path)
  countAnswer({ ...whole, endpoint: operation.endpoint }, status)
  return { status, text: entryOf(operation, status, JSON.stringify(failure.toBody()), failure.headers) }
}
