/** A line of a file of comma-separated values, which may go over several lines of text. */
export interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export class CsvError extends Error {
  override name = 'CsvError'
  readonly line: number

  constructor(line: number) {
    super(`line ${line} has a misplaced quote`)
    this.line = line
  }
}

/**
 * Reads CSV as RFC 4180 has it and as spreadsheets write it: separated by commas, semicolons or tabs, whichever the first line
 * has most of. Cells are trimmed, and lines without anything are left out.
 */
export function parseCsv(text: string): CsvRecord[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = findSeparator(source)
  const token = new RegExp(
    `("(?:[^"]|"")*"|[^"${separator}\\r\\n][^${separator}\\r\\n]*|)(${separator}|\\r?\\n|$)`,
    'y',
  )
  const records: CsvRecord[] = []
  let line = 1
  let record = { line, cells: [] as string[] }
  while (token.lastIndex < source.length) {
    const [whole, cell = '', end] = token.exec(source) ?? fail(line)
    record.cells.push(unquote(cell))
    line += whole.split('\n').length - 1
    if (end === separator && token.lastIndex < source.length) continue
    if (end === separator) record.cells.push('')
    if (record.cells.some(value => value !== '')) records.push(record)
    record = { line, cells: [] }
  }
  return records
}

function fail(line: number): never {
  throw new CsvError(line)
}

function findSeparator(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

function unquote(cell: string): string {
  return (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim()
}

/** One record, with the end of its line. What a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
