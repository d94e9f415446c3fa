import { isRecord } from '../flow/record.ts'
/** Returns the first matching error in a log entry: the error itself or one of its causes. */
export function findCause(entry: unknown, isMeant: (error: unknown) => boolean): Error | undefined {
  const err = isRecord(entry) && entry.err !== undefined ? entry.err : entry
  for (let error = err; error instanceof Error; error = error.cause) if (isMeant(error)) return error
  return undefined
}
