/** A CSV record. It can span several lines of text. */
export interface CsvRecord {
  /** The line that the record starts on, counted from 1. */
  readonly line: number
  /** Cells without quotes are trimmed. What stands in quotes is kept as it is. */
  readonly cells: readonly string[]
  /** Why the record cannot be trusted. Its cells are then what could be read of it. */
  readonly problem?: CsvProblem
}

export type CsvProblem = 'misplaced_quote' | 'too_long'

export class CsvError extends Error {
  override name = 'CsvError'
  readonly line: number

  constructor(line: number) {
    super(`line ${line} has a misplaced quote`)
    this.line = line
  }
}

/** Characters of one record. A quote that is never closed would otherwise gather the rest of the file. */
export const longestRecord = 262_144

const [tab, lineFeed, carriageReturn, quote] = [9, 10, 13, 34]

/**
 * Reads CSV per RFC 4180 and as spreadsheets write it, piece by piece: it holds no more than the piece and one
 * record. The separator is the comma, semicolon or tab that is most frequent in the first line that is not empty.
 * Lines end with LF, CRLF or CR. Records whose cells are all empty are skipped.
 */
export class CsvReader {
  #text = ''
  #line = 1
  #separator: string | undefined
  #isBegun = false
  /** Within a record that was given up: everything up to the end of its line is passed over. */
  #isLost = false

  /** Undefined until the first line was read. */
  get separator(): string | undefined {
    return this.#separator
  }

  /** Returns the records that end in this piece of text. */
  *read(piece: string): Generator<CsvRecord, void, undefined> {
    yield* this.#advance(this.#isBegun ? piece : piece.replace(/^\uFEFF/, ''), false)
  }

  /** Returns what is left once there is no more text. */
  *end(): Generator<CsvRecord, void, undefined> {
    yield* this.#advance('', true)
  }

  *#advance(piece: string, isLast: boolean): Generator<CsvRecord, void, undefined> {
    this.#isBegun ||= piece !== ''
    this.#text += piece
    let start = 0
    while (start < this.#text.length) {
      const separator = this.#separator ?? this.#findSeparator(start, isLast)
      const found = separator === undefined ? undefined : this.#next(start, separator, isLast)
      if (!found) break
      start = found.end
      if (found.record) yield found.record
    }
    this.#text = this.#text.slice(start)
  }

  #next(start: number, separator: string, isLast: boolean): Found | undefined {
    if (this.#isLost) return this.#passOver(start, isLast)
    const scanned = scanRecord(this.#text, start, separator, isLast)
    const line = this.#line
    if (!scanned) {
      if (this.#text.length - start <= longestRecord) return undefined
      this.#isLost = true
      this.#line += countLines(this.#text, start, this.#text.length)
      return { end: this.#text.length, record: { line, cells: [], problem: 'too_long' } }
    }
    this.#line += scanned.lines
    const { cells, problem, end } = scanned
    if (problem) return { end, record: { line, cells, problem } }
    return cells.some(cell => cell !== '') ? { end, record: { line, cells } } : { end }
  }

  #passOver(start: number, isLast: boolean): Found | undefined {
    const end = endOfLine(this.#text, start, isLast)
    if (end === undefined) return { end: this.#text.length }
    this.#isLost = false
    this.#line += countLines(this.#text, start, end)
    return { end }
  }

  #findSeparator(start: number, isLast: boolean): string | undefined {
    const first = this.#text.slice(start, start + longestRecord)
    const [head] = first.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1)
    const isWhole = isLast || first.length === longestRecord || /[^\r\n][\r\n]/.test(first)
    if (head !== undefined && isWhole) this.#separator = mostFrequent(head)
    return this.#separator
  }
}

interface Found {
  readonly end: number
  readonly record?: CsvRecord
}

interface Scanned {
  readonly cells: string[]
  readonly end: number
  readonly lines: number
  readonly problem?: CsvProblem
}

/** Returns undefined if the record may go on behind the text. */
function scanRecord(text: string, start: number, separator: string, isLast: boolean): Scanned | undefined {
  const cells: string[] = []
  const between = separator.charCodeAt(0)
  let lines = 0
  let at = start
  for (;;) {
    let end: number
    if (text.charCodeAt(at) === quote) {
      const close = closingQuote(text, at + 1, isLast)
      if (close === undefined) return isLast ? lost(text, at, cells, lines) : undefined
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'))
      lines += countLines(text, at, close)
      end = close + 1
      const next = text.charCodeAt(end)
      if (end < text.length && next !== between && next !== lineFeed && next !== carriageReturn) {
        const after = endOfLine(text, end, isLast)
        return after === undefined ? undefined : misplaced(cells, after, lines + 1)
      }
    } else {
      end = endOfCell(text, at, between)
      cells.push(text.slice(at, end).trim())
    }
    if (end >= text.length) return isLast ? { cells, end, lines } : undefined
    if (text.charCodeAt(end) !== between) {
      const after = endOfLine(text, end, isLast)
      return after === undefined ? undefined : { cells, end: after, lines: lines + 1 }
    }
    at = end + 1
    if (at === text.length) {
      if (!isLast) return undefined
      cells.push('')
      return { cells, end: at, lines }
    }
  }
}

function lost(text: string, at: number, cells: string[], lines: number): Scanned {
  return { ...misplaced(cells, text.length, lines + countLines(text, at, text.length)) }
}

function misplaced(cells: string[], end: number, lines: number): Scanned {
  return { cells, end, lines, problem: 'misplaced_quote' }
}

/** Returns undefined if the quote is not closed, or if what follows may be its double. */
function closingQuote(text: string, from: number, isLast: boolean): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (at + 1 === text.length) return isLast ? at : undefined
    if (text.charCodeAt(at + 1) !== quote) return at
  }
  return undefined
}

function endOfCell(text: string, from: number, separator: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === separator || code === lineFeed || code === carriageReturn) return at
  }
  return text.length
}

/** Returns where the next line starts. Undefined if that is not known yet. */
function endOfLine(text: string, from: number, isLast: boolean): number | undefined {
  const at = endOfCell(text, from, lineFeed)
  if (at === text.length) return isLast ? at : undefined
  if (text.charCodeAt(at) === lineFeed) return at + 1
  if (at + 1 === text.length) return isLast ? at + 1 : undefined
  return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1
}

/** Counts the line ends of a part of a text. CRLF is one. */
function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) lines++
  }
  return lines
}

function mostFrequent(head: string): string {
  const bare = head.replace(/"[^"]*"/g, '')
  const count = (separator: string) => bare.split(separator).length
  return [',', ';', String.fromCharCode(tab)].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Reads a text as a whole. Cells are trimmed, and a misplaced quote is an error. */
export function parseCsv(text: string): CsvRecord[] {
  const reader = new CsvReader()
  return [...reader.read(text), ...reader.end()].map(({ line, cells, problem }) => {
    if (problem) throw new CsvError(line)
    return { line, cells: cells.map(cell => cell.trim()) }
  })
}

/** What a spreadsheet would read as a formula, or what an apostrophe already protects from that. */
const formula = /^'*[=+\-@\t\r]/

/**
 * Returns one CSV record with its line ending. A cell that a spreadsheet would read as a formula gets a
 * leading apostrophe.
 */
export function csvLine(cells: readonly unknown[]): string {
  return csvRecord(
    cells.map(value => (value === null || value === undefined ? '' : withApostrophe(String(value)))),
  )
}

/** Returns one CSV record of cells as they are. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`
}

function quoteCell(text: string): string {
  return /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Protects what looks like a formula, as in the cells of a file. */
export function withApostrophe(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Takes away the apostrophe that `csvLine` puts before what looks like a formula. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
}
