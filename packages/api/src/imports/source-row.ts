import { withoutApostrophe } from '@gatehouse-access/core'
import type { TargetColumn } from './columns.ts'
import { CellError, type RowProblem } from './problems.ts'

/** A row of a file by the meaning of its columns. */
export interface SourceRow {
  /** Where the record begins; the head line is 1. */
  readonly line: number
  /** Cells that are not empty. An apostrophe protects what looks like a formula. */
  readonly cells: ReadonlyMap<TargetColumn, string>
  /** What the file calls the columns. */
  readonly names: ReadonlyMap<TargetColumn, string>
  /** All cells as the file has them, in its order. */
  readonly written: readonly string[]
  /** What is wrong with the record itself. */
  readonly problems: readonly RowProblem[]
}

/** What clears a field. An empty cell leaves it as it is. Cells without quotes come trimmed. */
export const cleared = '-'

/** Reads the cells of one row, and gathers what is wrong with them. */
export class CellReader {
  readonly problems: RowProblem[]
  readonly #row: SourceRow
  readonly #defaults: ReadonlyMap<string, string>

  constructor(row: SourceRow, defaults: ReadonlyMap<string, string>) {
    this.#row = row
    this.#defaults = defaults
    this.problems = [...row.problems]
  }

  /** Returns what `read` makes of the cell, null if it is cleared, undefined if it is empty or wrong. */
  take<Value>(column: TargetColumn, read: (text: string) => Value): Value | null | undefined {
    const text = this.text(column)
    if (text === undefined || this.#row.problems.length > 0) return undefined
    if (text === cleared) return null
    try {
      return read(withoutApostrophe(text))
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      this.refuse(column, error.message)
      return undefined
    }
  }

  /** Lists are empty if they are cleared. */
  takeList<Value>(column: TargetColumn, read: (text: string) => Value[]): Value[] | undefined {
    const found = this.take(column, read)
    return found === null ? [] : found
  }

  text(column: TargetColumn): string | undefined {
    return this.#row.cells.get(column) ?? this.#defaults.get(column)
  }

  refuse(column: TargetColumn, problem: string): void {
    this.problems.push({ column: this.#row.names.get(column) ?? column, problem })
  }

  get metadata(): TargetColumn[] {
    return [...this.#row.names.keys()].filter(name => name.startsWith('metadata.'))
  }
}
