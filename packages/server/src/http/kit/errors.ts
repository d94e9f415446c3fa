import { RequestError } from '@gatehouse-access/api'
import type { FastifyRequest } from 'fastify'
import { isAway, isBusy, isConflict, isDiskFull, isTimeout } from '../../database/away.ts'
import { codeOf } from '../../flow/failures.ts'
import { explainConflict } from '../../store/constraints.ts'
import { isOverload } from '../turnstile/turnstile.ts'

/** Errors of Fastify and its parsers that the caller caused. */
const fastify: Record<string, ConstructorParameters<typeof RequestError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'the body is larger than 1 MiB'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'the body must have the Content-Type application/json',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'Content-Length does not match the body'],
  FST_ERR_BAD_URL: ['invalid_request', 'the path is not properly percent-encoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'a part of the path is too long'],
}

/** Converts an error for the caller: the caller's mistakes in full, server faults as briefly as possible. */
export function toRequestError(error: unknown, requestId: string): RequestError {
  if (error instanceof RequestError) return error
  const code = codeOf(error) ?? ''
  const statusCode = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : undefined
  const known = fastify[code]
  if (known) return new RequestError(known[0], known[1])
  // Only the body parser sets a status. A client disconnect must not look like a lost database.
  if (statusCode === 400) return new RequestError('invalid_request', 'the body did not arrive completely')
  const conflict = explainConflict(error)
  if (conflict) return conflict
  if (isAway(error)) return unavailable('the database cannot be reached; try again shortly', error, requestId)
  if (isBusy(error)) return unavailable('the service is overloaded; try again shortly', error, requestId)
  if (isConflict(error))
    return unavailable('others are changing the same objects; try again shortly', error, requestId)
  if (isTimeout(error))
    return unavailable('the request took too long; request less or try again', error, requestId)
  if (isDiskFull(error)) return storageFull(error, requestId)
  return new RequestError('internal', `something went wrong on our side; request ${requestId}`, {
    args: { request_id: requestId },
    cause: error,
  })
}

/**
 * Returns whether the error refuses all callers alike. Metrics and the disk watch report such refusals; a log
 * line for each would add to the load.
 */
export function isRefusal(error: unknown): boolean {
  if (isOverload(error)) return true
  if (error instanceof RequestError && (error.args.reason ?? '') in quiet) return true
  return error instanceof RequestError && error.type === 'storage_full' && error.cause === undefined
}

/** Logs a failure of the service. What the caller did wrong is not logged. */
export function reportFailure(
  failure: RequestError,
  { log, id }: Pick<FastifyRequest, 'log' | 'id'>,
  url: string | undefined,
): void {
  if (failure.status >= 500 && !isRefusal(failure))
    log.error({ err: failure.cause ?? failure, request_id: id, url }, failure.message)
}

/** Reasons that the operator knows, or that the caller can do something about. */
const quiet = { recovered: true, too_long: true }

function unavailable(message: string, cause: unknown, requestId: string): RequestError {
  return new RequestError('unavailable', message, {
    args: { request_id: requestId },
    headers: { 'retry-after': '1' },
    cause,
  })
}

export function storageFull(cause: unknown, requestId: string): RequestError {
  return new RequestError(
    'storage_full',
    'the disk is nearly full: reads, deletions and doors keep working, other writes are refused until there is room',
    {
      args: { request_id: requestId },
      headers: { 'retry-after': '30' },
      cause,
    },
  )
}
