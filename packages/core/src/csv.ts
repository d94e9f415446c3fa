/** A CSV record. It can span several lines of text. */
export interface CsvRecord {
  /** The line that the record starts on, counted from 1. */
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
 * Parses CSV per RFC 4180 and as spreadsheets write it. The separator is the comma, semicolon or tab that is
 * most frequent in the first line. Cells are trimmed and empty records are skipped.
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

/**
 * Returns one CSV record with its line ending. A cell that a spreadsheet would read as a formula gets a
 * leading apostrophe.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
