import { RequestError, type RowProblem, type SourceRow } from '@gatehouse-access/api'
import type { Row } from '../../../database/db.ts'
import type { RowOutcome } from '../../jobs/job-type.ts'

/** What became of one row of a file. */
export interface RowResult {
  readonly source: SourceRow
  readonly outcome: RowOutcome
  readonly problems: readonly RowProblem[]
  readonly object_id?: string | undefined
  readonly etag?: string | undefined
  /** What an undo needs. */
  readonly undo?: object
  /** Before and after, for a dry run. */
  readonly diff?: Row | undefined
  /** Secrets that the service has made, for whoever made the job. */
  readonly secrets?: { readonly pin?: string; readonly link?: string; readonly name: string | null }
  readonly notices: readonly string[]
  readonly credentials_created?: number
  /** Whether it gives access without an end. */
  readonly is_endless?: boolean
}

/** Stands for what a row of a dry run goes by beside its object, so that it is noticed if it changes. */
export function digestsOf(names: readonly string[], digest: (name: string) => string): string | undefined {
  return names.length === 0 ? undefined : names.map(digest).join(' ')
}

/** Problems name columns as the file does. */
export function inWordsOf({ names }: SourceRow, problems: readonly RowProblem[]): RowProblem[] {
  const known: ReadonlyMap<string, string> = names
  return problems.map(({ column, problem }) => ({ column: known.get(column) ?? column, problem }))
}

/** What the API would refuse is a problem of the row. Anything else is thrown. */
export function asProblem(error: unknown): RowProblem {
  if (!(error instanceof RequestError) || error.status >= 500) throw error
  return { column: error.args.field ?? '', problem: error.message }
}
