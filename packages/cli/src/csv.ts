/** The records of a CSV file (RFC 4180) with the line each begins in; lines without anything are left out. */
export function parseCsv(text: string): { line: number; cells: string[] }[] {
  const records: { line: number; cells: string[] }[] = []
  const token = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y
  let line = 1
  let record = { line, cells: [] as string[] }
  const source = text.replace(/^\uFEFF/, '')
  while (token.lastIndex < source.length) {
    const match = token.exec(source)
    if (!match) throw new CsvError(line)
    const [whole, cell = '', end] = match
    record.cells.push(unquote(cell))
    line += whole.split('\n').length - 1
    if (end === ',' && token.lastIndex < source.length) continue
    if (end === ',') record.cells.push('')
    if (record.cells.some(value => value !== '')) records.push(record)
    record = { line, cells: [] }
  }
  return records
}

export class CsvError extends Error {
  override name = 'CsvError'
  constructor(line: number) {
    super(`line ${line} has a quote that does not fit`)
  }
}

function unquote(cell: string): string {
  return (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim()
}
