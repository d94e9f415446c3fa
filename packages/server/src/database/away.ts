import { BusyError, ConnectionError, PostgresError } from './postgres/wire/errors.ts'

/**
 * SQLSTATEs of a server that is shutting down, starting up, read-only or out of connections, or that has
 * ended the session for a transaction timeout.
 */
const codesOfAbsence = new Set(['25006', '25P03', '25P04', '53300', '57P01', '57P02', '57P03'])

/** Whether a query failed because the database is unreachable, restarting or refusing connections for now. */
export function isAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof PostgresError && codesOfAbsence.has(error.code)
}

/** Whether a query was issued after the service had closed its connections because it is stopping. */
export function isEnded(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'CONNECTION_ENDED'
}

/** Whether a query was rejected because too many queries are already waiting for the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof BusyError
}

/** Whether a query was rejected because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof PostgresError && error.code === '53100'
}

/** Whether the error affects every caller alike, so that the log reports it once for all of them. */
export function isCommon(error: unknown): boolean {
  return isAway(error) || isBusy(error) || isDiskFull(error)
}

/** Whether the same query may succeed if it is retried a little later. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || isBusy(error) || isConflict(error) || isTimeout(error)
}

/**
 * Whether a transaction was aborted because of a deadlock, a serialization failure or a concurrent schema
 * change. It may be retried.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof PostgresError && (isOutdated(error) || ['40001', '40P01'].includes(error.code))
}

function isOutdated({ routine }: PostgresError): boolean {
  return routine === 'RevalidateCachedQuery'
}

/** Whether a statement was canceled because it took too long, or waited too long for a lock. */
export function isTimeout(error: unknown): boolean {
  return error instanceof PostgresError && ['57014', '55P03'].includes(error.code)
}
