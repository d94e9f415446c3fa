import { cutText } from '@gatehouse-access/core'

/** Something wrong with one cell, or with a row as a whole. */
export interface RowProblem {
  /** The column as the file calls it. Empty for the row as a whole. */
  readonly column: string
  /** What is wrong, with the value, and what would be right. */
  readonly problem: string
}

/** The longest part of a cell that a problem repeats. */
const shownCharacters = 40

export function quoted(value: string): string {
  return `"${cutText(value.toWellFormed(), shownCharacters)}"`
}

/** Thrown by whoever reads a cell. */
export class CellError extends Error {
  override name = 'CellError'
}

export function refuseCell(value: string, expected: string): never {
  throw new CellError(`${quoted(value)} is not ${expected}`)
}
