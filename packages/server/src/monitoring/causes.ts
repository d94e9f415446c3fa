import { isRecord } from '../flow/record.ts'
/** The first error of this kind among what is logged, the error itself or one that caused it. */
export function findCause(entry: unknown, isMeant: (error: unknown) => boolean): Error | undefined {
  const err = isRecord(entry) && entry.err !== undefined ? entry.err : entry
  for (let error = err; error instanceof Error; error = error.cause) if (isMeant(error)) return error
  return undefined
}
