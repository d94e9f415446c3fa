import type { ImportKind, RowReading, SourceRow, Survey } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { importMembers } from './members/import-members.ts'
import type { RowResult } from './rows/row-result.ts'

/** What rows are read and checked by. */
export interface RowContext {
  readonly reading: RowReading
  readonly survey: Survey
  /** What stands for a member that a dry run would make. */
  readonly digest: (key: string) => string
}

export interface BatchOptions {
  readonly is_dry_run: boolean
  /** Whether rows behind the first that is refused are left alone. */
  readonly stops: boolean
}

/** Imports rows within a transaction, in their order. Returns fewer results than rows if it stopped. */
export type RowImporter = (
  work: Work,
  rows: readonly SourceRow[],
  options: BatchOptions,
) => Promise<RowResult[]>

export function importerOf(kind: ImportKind, context: RowContext): RowImporter {
  switch (kind) {
    case 'members':
      return (work, rows, options) => importMembers(work, rows, { ...context, ...options })
    default:
      throw new Error(`cannot import ${kind} yet`)
  }
}
