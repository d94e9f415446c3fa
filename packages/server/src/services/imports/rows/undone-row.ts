import type { AnyChanges } from '@gatehouse-access/api'
import type { JobRow, RowOutcome } from '../../jobs/job-type.ts'

/** What became of a row that was to be set back. */
export interface UndoneRow {
  readonly row: JobRow
  readonly outcome: RowOutcome
  /** Why it, or a part of it, was left as it is. */
  readonly problem?: string | undefined
  readonly before?: AnyChanges | undefined
  readonly after?: AnyChanges | undefined
}

export const changedSince = 'has changed since, and is left as it is'
