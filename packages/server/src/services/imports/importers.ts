import type { ImportKind, SourceRow } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { importObjects } from './import-objects.ts'
import { importMembers } from './members/import-members.ts'
import type { BatchOptions, RowContext } from './rows/row-context.ts'
import type { RowResult } from './rows/row-result.ts'

/** Imports rows within a transaction, in their order. Returns fewer results than rows if it stopped. */
export type RowImporter = (
  work: Work,
  rows: readonly SourceRow[],
  options: BatchOptions,
) => Promise<RowResult[]>

export function importerOf(kind: ImportKind, context: RowContext): RowImporter {
  return kind === 'members'
    ? (work, rows, options) => importMembers(work, rows, { ...context, ...options })
    : (work, rows, options) => importObjects(work, kind, rows, { ...context, ...options })
}
