import { BusyError, ConnectionError, PostgresError } from './postgres/wire/errors.ts'

/** Errors of a database that is going, is not there yet, or has no connection left. */
const codesOfAbsence = new Set(['25006', '25P03', '25P04', '53300', '57P01', '57P02', '57P03'])

/** Whether a query failed because the database is away, restarting or refusing connections for now. */
export function isAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof PostgresError && codesOfAbsence.has(error.code)
}

/** Whether a query came after the service itself had closed its connections: it is stopping. */
export function isEnded(error: unknown): boolean {
  return error instanceof ConnectionError && error.code === 'CONNECTION_ENDED'
}

/** Whether a query was refused because too many wait for the database already. */
export function isBusy(error: unknown): boolean {
  return error instanceof BusyError
}

/** Whether a query was refused because the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof PostgresError && error.code === '53100'
}

/** Whether it fails for everyone alike, so that the log reports it once for all. */
export function isCommon(error: unknown): boolean {
  return isAway(error) || isBusy(error) || isDiskFull(error)
}

/** Whether the same query may succeed a little later. */
export function isUnavailable(error: unknown): boolean {
  return isAway(error) || isBusy(error) || isConflict(error) || isTimeout(error)
}

/**
 * Whether two transactions stood in each other's way, so that one of them was ended, or the tables changed under it: it may
 * be repeated.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof PostgresError && (isOutdated(error) || ['40001', '40P01'].includes(error.code))
}

function isOutdated({ routine }: PostgresError): boolean {
  return routine === 'RevalidateCachedQuery'
}

/** Whether a statement was ended because it took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof PostgresError && error.code === '57014'
}
