import type { Row } from '../../database/db.ts'
import type { RowResult } from './rows/row-result.ts'

/** Where an import is. Holds nothing personal. */
export interface ImportCursor {
  /** Rows that are done. */
  readonly rows: number
  /** Row errors that were kept. */
  readonly errors: number
  /** Rows whose secrets are in the file of results. */
  readonly secrets: number
  /** How many new members have no end, and the first lines of them. */
  readonly endless: number
  readonly endless_lines: readonly number[]
  /** Of a sync: the last member of the source that was looked at, and how many were deleted. */
  readonly looked_at: string
  readonly deleted: number
}

const beginning: ImportCursor = {
  rows: 0,
  errors: 0,
  secrets: 0,
  endless: 0,
  endless_lines: [],
  looked_at: '',
  deleted: 0,
}
const shownLines = 10

export function cursorOf(stored: Row | null): ImportCursor {
  return stored === null ? beginning : ({ ...stored } as unknown as ImportCursor)
}

export function advance(
  cursor: ImportCursor,
  results: readonly RowResult[],
  kept: number,
  secrets: number,
): ImportCursor {
  const endless = results.filter(result => result.is_endless).map(({ source }) => source.line)
  return {
    ...cursor,
    rows: cursor.rows + results.length,
    errors: cursor.errors + kept,
    secrets: cursor.secrets + secrets,
    endless: cursor.endless + endless.length,
    endless_lines: [...cursor.endless_lines, ...endless].slice(0, shownLines),
  }
}

/** Says which rows give access for ever: the column may be missing or empty by mistake. */
export function endlessNotice({ endless, endless_lines }: ImportCursor, isDryRun: boolean): string[] {
  if (endless === 0) return []
  const more = endless - endless_lines.length
  const lines = `${endless_lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const has = endless === 1 ? 'has' : 'have'
  return [
    `${endless} new ${endless === 1 ? 'member' : 'members'} ${isDryRun ? 'would have' : has} no end, and access until somebody ends it: line ${lines}.`,
  ]
}
